// The program that the tests of the command line check.
extern "C" {
int shared_counter;

int failing() {  // the failing line
#ifdef BREAK_THE_BUILD
  return undeclared_name;
#endif
  return ++shared_counter;
}
}

int main() { return failing() == 1 ? 0 : 9; }
