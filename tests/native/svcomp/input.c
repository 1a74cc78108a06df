// An input decides.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() {
  if (__VERIFIER_nondet_int() == 2) reach_error();
  return 0;
}
