#!/bin/bash
# Workers for an exploration, as a Slurm array: each task is one machine's share (docs/many-machines.md).
#
#   export MAZUR_LEDGER='postgresql://mazur@db.example.org/mazur'   # the password: in ~/.pgpass
#   sbatch --array=0-19 slurm.sh /shared/queue_test                 # 20 tasks with 8 processes each
#   mazur watch "$MAZUR_LEDGER"
#
# Tasks may start late, end early and be more or fewer than before: nobody waits for any of them.
#SBATCH --job-name=mazur
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# A minute before the time is over: the pieces that were begun go back to the ledger.
#SBATCH --signal=B:TERM@60
set -eu

: "${MAZUR_LEDGER:?names the ledger: postgresql://user@server/database}"
program=${1:?the program, as it was given to mazur check}

# In the place of this shell, so that it gets the signal.
exec mazur worker --ledger="$MAZUR_LEDGER" "$program" -j "${SLURM_CPUS_PER_TASK:-1}"
