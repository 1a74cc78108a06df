// Numbers in words that a reader can use.
#pragma once

#include <string>

namespace mazur {

// "12 ms", "1.5 s", "3 min", "5 h", "20 days", "more than a year".
std::string duration(double seconds);

// "12%", "0.5%", "less than 0.01%", of a part between 0 and 1. Never 100% for less than all of it.
std::string percent(double part);

// "at least 3 min", "more than a year"; "at most 12%", "less than 0.01%".
std::string at_least_duration(double seconds);
std::string at_most_percent(double part);

// The first to the second, or about one of them if they read the same.
std::string range(const std::string& from, const std::string& to);

}  // namespace mazur
