// Empty: the headers are in CMakeLists.txt.
