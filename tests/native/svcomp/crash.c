// No violation, and nothing to rely on.
extern void reach_error(void);
int main() {
  volatile int *nowhere = 0;
  if (*nowhere == 1) reach_error();
  return 0;
}
