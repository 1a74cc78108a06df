// Switching between fibers: callee-saved registers and the floating-point control words. The FS
// base is the caller's business: writing it takes longer than all of the rest.
//
// `ret` would mispredict every time, because the return stack buffer remembers another fiber's
// calls; pop and jmp is four times faster.
//
// Reading the control words is slow. The scheduler always has the default ones, so they are read
// only on the way from a fiber to the scheduler.
    .text

// Pushes what a function must preserve, and makes room for the control words.
    .macro save_registers
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    .endm

// void mazur_enter(void** save_sp /*rdi*/, void* load_sp /*rsi*/): from the scheduler to a fiber.
    .globl mazur_enter
    .hidden mazur_enter
    .type mazur_enter, @function
mazur_enter:
    .cfi_startproc
    save_registers
    movl $0x1f80, (%rsp)
    movl $0x037f, 4(%rsp)
    jmp .Lswitch
    .cfi_endproc
    .size mazur_enter, .-mazur_enter

// void mazur_leave(void** save_sp /*rdi*/, void* load_sp /*rsi*/): from a fiber to the scheduler.
    .globl mazur_leave
    .hidden mazur_leave
    .type mazur_leave, @function
mazur_leave:
    .cfi_startproc
    save_registers
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
.Lswitch:
    movq %rsp, (%rdi)
    movq %rsi, %rsp
.Lresume:
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    popq %r14
    .cfi_adjust_cfa_offset -8
    popq %r13
    .cfi_adjust_cfa_offset -8
    popq %r12
    .cfi_adjust_cfa_offset -8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    popq %rbp
    .cfi_adjust_cfa_offset -8
    popq %rcx
    .cfi_adjust_cfa_offset -8
    jmpq *%rcx
    .cfi_endproc
    .size mazur_leave, .-mazur_leave

// void mazur_jump(void* load_sp /*rdi*/): the same without saving anything.
    .globl mazur_jump
    .hidden mazur_jump
    .type mazur_jump, @function
mazur_jump:
    movq %rdi, %rsp
    jmp .Lresume
    .size mazur_jump, .-mazur_jump

// The first code of a fiber; its entry function is in r12. Unwinding ends here.
    .globl mazur_fiber_start
    .hidden mazur_fiber_start
    .type mazur_fiber_start, @function
mazur_fiber_start:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    callq *%r12
    ud2
    .cfi_endproc
    .size mazur_fiber_start, .-mazur_fiber_start

    .section .note.GNU-stack, "", @progbits
