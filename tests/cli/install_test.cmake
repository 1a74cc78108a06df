# Installs into a fresh folder and uses what lies there.
file(REMOVE_RECURSE ${BUILD}/install_test)
set(prefix ${BUILD}/install_test)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/mazur bin/mazur-c++ bin/mazur-cc include/mazur/mazur.h share/doc/mazur/use.md
    share/doc/mazur/LICENSE)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
execute_process(COMMAND ${prefix}/bin/mazur --version COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${prefix}/bin/mazur-c++ ${FIXTURE} -o ${prefix}/program
  COMMAND_ERROR_IS_FATAL ANY)
if(RUNTIME)
  execute_process(COMMAND ${prefix}/bin/mazur doctor COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${prefix}/bin/mazur check ${prefix}/program --algorithm=naive
    COMMAND_ERROR_IS_FATAL ANY)
endif()
file(REMOVE_RECURSE ${prefix})
