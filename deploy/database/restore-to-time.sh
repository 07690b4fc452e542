#!/bin/sh
# restore-to-time.sh <time> <empty folder> [port]: as the user postgres on a machine with pgBackRest and its
# configuration. Restores the database to a time, such as '2026-11-28 14:03:00+04', and starts it in
# the folder, beside what runs. It archives nothing and waits for no standby. docs/operations/backup.md
# says what follows.
set -eu
time=$1
place=$2
port=${3:-5433}
bin=${PGBIN:-/usr/lib/postgresql/15/bin}
host=${PGLISTEN:-127.0.0.1}
if [ -n "$(ls -A "$place" 2>/dev/null || true)" ]; then
  echo "$place is not empty" >&2
  exit 1
fi
mkdir -p -m 700 "$place"
pgbackrest --stanza=diwan --pg1-path="$place" --type=time --target="$time" --target-action=promote \
  --archive-mode=off restore
# Patroni wrote the settings of the backup: its names of standbys and folders are not those of this place.
"$bin/pg_ctl" --pgdata="$place" --wait --timeout=86400 --log="$place/restore.log" start -o "--port=$port \
  --listen_addresses=$host --unix_socket_directories=$place --synchronous_standby_names= --archive_mode=off \
  --hba_file=$place/pg_hba.conf --ident_file=$place/pg_ident.conf --data_directory=$place"
until [ "$("$bin/psql" --host="$place" --port="$port" --username=postgres --dbname=postgres -Atc \
  'select pg_is_in_recovery()')" = f ]; do
  "$bin/pg_ctl" --pgdata="$place" status >/dev/null || { tail -n 20 "$place/restore.log" >&2; exit 1; }
  sleep 1
done
echo "Restored to $time; PostgreSQL listens on $host:$port and stops with: pg_ctl --pgdata=$place stop"
