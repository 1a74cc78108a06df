#include "modules/module_class.h"

#include <gtest/gtest.h>

namespace mazur {
namespace {

const FactCache kNoCache({});

ModuleFacts sample(const std::string& name) {
  return facts_of(std::filesystem::path(SAMPLES) / (name + ".so"), kNoCache);
}

TEST(ModuleClass, CodeThatOnlyComputesIsQuiet) {
  const ModuleFacts facts = sample("quiet");
  EXPECT_EQ(facts.kind, ModuleClass::kQuiet) << why_unseen(facts);
}

TEST(ModuleClass, AtomicInstructionsAreCounted) {
  const ModuleFacts facts = sample("atomic");
  EXPECT_EQ(facts.kind, ModuleClass::kUnseen);
  EXPECT_EQ(facts.instructions.atomic, 2u);
  EXPECT_EQ(why_unseen(facts), "2 atomic instructions, 0 system calls");
}

TEST(ModuleClass, ASystemCallIsSeenInTheCode) {
  const ModuleFacts facts = sample("system_call");
  EXPECT_EQ(facts.kind, ModuleClass::kUnseen);
  EXPECT_EQ(why_unseen(facts), "0 atomic instructions, 1 system call");
}

TEST(ModuleClass, ACallOfAMutexIsSeenInTheImports) {
  const ModuleFacts facts = sample("locking");
  EXPECT_EQ(facts.kind, ModuleClass::kUnseen);
  EXPECT_TRUE(facts.instructions.none());
  EXPECT_EQ(facts.imports.size(), 2u);
}

TEST(ModuleClass, WhatCannotBeReadIsUnseen) {
  for (const char* path : {"/nowhere/libx.so", "/dev/zero", "/", ""}) {
    const ModuleFacts facts = facts_of(std::filesystem::path(path), kNoCache);
    EXPECT_EQ(facts.kind, ModuleClass::kUnseen) << path;
    EXPECT_EQ(why_unseen(facts), "its file cannot be read");
  }
}

TEST(ModuleClass, TheSystemsOwnLibrariesAreKnown) {
  for (const char* name : {"libc.so.6", "libstdc++.so.6", "linux-vdso.so.1", "libtsan.so.2"})
    EXPECT_EQ(facts_of(std::filesystem::path(name), kNoCache).kind, ModuleClass::kKnown);
  EXPECT_EQ(facts_of(std::filesystem::path("libc.so.7"), kNoCache).kind, ModuleClass::kUnseen);
}

TEST(ModuleClass, IsCalledByItsNameWithOrWithoutAVersion) {
  const std::filesystem::path file = "/usr/lib/libglib-2.0.so.0.7400.6";
  for (const char* name : {"libglib-2.0.so.0.7400.6", "libglib-2.0.so.0", "libglib-2.0.so",
                           "libglib-2.0", "/usr/lib/libglib-2.0.so.0.7400.6", "libgl*", "*"})
    EXPECT_TRUE(is_named(name, file, "libglib-2.0.so.0")) << name;
  for (const char* name : {"libglib-2.0.so.1", "libglib", "libglib-2", "glib-2.0", "libglib-2.0.",
                           "libglib-2.0.so.0.7", "libgobject*", ""})
    EXPECT_FALSE(is_named(name, file, "libglib-2.0.so.0")) << name;
  EXPECT_TRUE(is_named("program", "/home/program", ""));
  EXPECT_FALSE(is_named("", "/home/program", ""));
}

}  // namespace
}  // namespace mazur
