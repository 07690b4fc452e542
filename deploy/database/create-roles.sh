#!/bin/sh
# Once, as an administrator of PostgreSQL: the owner of the tables, the role of the server, and the
# database (docs/operations/install.md). The passwords are in files.
set -eu
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v owner_password="$(cat "$OWNER_PASSWORD_FILE")" \
  -v server_password="$(cat "$SERVER_PASSWORD_FILE")" <<'SQL'
create role diwan_owner login password :'owner_password';
create role diwan_server login password :'server_password';
alter role diwan_server set max_parallel_workers_per_gather = 0;
create database diwan owner diwan_owner;
SQL
