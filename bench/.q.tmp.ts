import pg from 'pg';
import { readFileSync } from 'node:fs';
const port = readFileSync('/tmp/p7b/data/postgres/postmaster.pid','utf8').split('\n')[3];
const c = new pg.Client(`postgres://diwan:${readFileSync('/tmp/p7b/data/postgres.password','utf8').trim()}@127.0.0.1:${port}/diwan`);
await c.connect();
for (const text of readFileSync(0,'utf8').split(/;\s*\n/).filter((t)=>t.trim())) { const s=performance.now(); const r = await c.query(text); console.log(`-- ${text.trim().slice(0,100)} [${(performance.now()-s).toFixed(1)} ms]`); for (const row of r.rows??[]) console.log(Object.values(row).join(' | ')); }
await c.end();
