#include "json_templates.h"

MAZUR_JSON_TEMPLATES(template)
