// What finishing a piece does to the items of a ledger.
#pragma once

#include <string>
#include <vector>

#include "work/run_state.h"
#include "work/store.h"

namespace mazur {

// Whether the item has no room for the keys of so many children: then all items have to be numbered
// anew first.
bool lacks_room(const ItemRow& item, std::size_t children);

// Puts what is left in the place of an item: the first piece stays the item, and the others become
// its children, which come before all that it had.
void split(LedgerTransaction& t, ItemRow& item, const std::vector<std::string>& pieces,
           Sums& change);

// Removes all items that come after this one, with all that was counted in them.
void cut_off(LedgerTransaction& t, const ItemRow& item, Sums& change, const std::string& ledger);

// Joins an item that was closed with its neighbours, if they are closed, so that there are about as
// many closed ones as others.
void fold(LedgerTransaction& t, ItemRow item, const std::string& ledger);

// Back to the whole program as the one open piece. The run has to be written after that.
void begin_again(LedgerTransaction& t, RunState& run);

}  // namespace mazur
