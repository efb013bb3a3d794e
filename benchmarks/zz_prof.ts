import autocannon from 'autocannon'
import { startService, temporaryHome } from '/work/main/benchmarks/processes.ts'
import { seedApp } from '/work/main/benchmarks/seed.ts'
const home = temporaryHome()
const s = await startService(home)
console.log('boot', s.bootMs)
const seeded = seedApp(home)
const h = { 'x-api-key': seeded.key, 'content-type': 'application/json' }
const r = await fetch(`${s.base}/app/${seeded.appId}/release`, { method: 'POST', headers: h, body: JSON.stringify({ version: '1.0.0' }) })
console.log(r.status)
for (let i=0;i<20;i++) { const x = await fetch(`${s.base}/app/${seeded.appId}/regressionItem`, {method:'POST', headers:h, body: JSON.stringify({title:'t'+i})}); if (i==0) console.log(x.status) }
for (const p of [`/health/live`, `/org/${seeded.organizationId}`, `/v2/app/${seeded.appId}/releases/${seeded.releaseId}`, `/v2/app/${seeded.appId}/releases`]) {
  const res = await autocannon({ url: s.base + p, connections: 20, duration: 4, headers: h })
  console.log(p, res.requests.average, 'p50', res.latency.p50, res.non2xx)
}
await s.stop()
