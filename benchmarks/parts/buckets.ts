import Database from 'better-sqlite3'
import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

const FEW = 1000
const MANY = 1_000_000

/** Measures a page of builds of a bucket that has few of them, and of one that has many. */
export function measureBuckets(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { api, organizationId } = await stand.firstService()
    const app = await api.call<{ id: string }>('POST', '/app/config', 'name: Many\nplatform: ios')
    const make = async (name: string, builds: number) => {
      const { id } = await api.call<{ id: string }>('POST', `/app/${app.id}/bucket`, { name })
      addBuilds(stand.sqliteFile, { organizationId, appId: app.id, bucketId: id }, builds)
      return `/app/${app.id}/bucket/${id}/builds?limit=50`
    }
    const paths = { few: await make('Few', FEW), many: await make('Many', MANY) }
    const page = (path: string) => async () =>
      median(await timings(200, () => api.call('GET', path)))
    const filtered = (path: string) => page(`${path}&branch=rare`)
    const rows: Row[] = []
    for (const [what, ask] of [
      ['page of 50 builds', page],
      ['page of the only build of a branch', filtered],
    ] as const) {
      const pages = await inTurn({ few: ask(paths.few), many: ask(paths.many) })
      rows.push({
        what: `${what}, ${fixed(MANY)} in the bucket`,
        service: reported(pages.many, 'ms', 2),
        beside: `with ${fixed(FEW)}: ${reported(pages.few, 'ms', 2)}`,
        ratio: ratio(pages.many, pages.few),
        aim: 'at most 1.5',
      })
    }
    return rows
  })
}

/** Inserts builds with one artifact each into a bucket, as uploads would, but without the files. */
function addBuilds(
  file: string,
  { organizationId, appId, bucketId }: Record<'organizationId' | 'appId' | 'bucketId', string>,
  count: number
): void {
  const database = new Database(file, { timeout: 10_000 })
  database.pragma('foreign_keys = off')
  const build = database.prepare(
    `insert into distribution_builds (id, organization_id, app_id, bucket_id, status, branch,
      source, created_by, created_at, updated_at)
    values (?, ?, ?, ?, 'active', ?, 'upload', ?, ?, ?)`
  )
  const artifact = database.prepare(
    `insert into distribution_files (id, organization_id, build_id, kind, file_name, content_type,
      size, sha256, file_id, created_at)
    values (?, ?, ?, 'artifact', 'Acme.ipa', 'application/octet-stream', 88080384, ?, null, ?)`
  )
  const actor = JSON.stringify({ type: 'apiKey', id: 'key_bench', name: 'bench' })
  const sha256 = 'ab'.repeat(32)
  const from = Date.now() - count * 1000
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const id = `build_${bucketId.slice(-6)}${String(index).padStart(12, '0')}`
      const at = new Date(from + index * 1000).toISOString()
      const branch = index === 0 ? 'rare' : index % 3 === 0 ? 'main' : `release/1.${index % 100}.0`
      build.run(id, organizationId, appId, bucketId, branch, actor, at, at)
      artifact.run(`d${id}`, organizationId, id, sha256, at)
    }
    database.prepare('update buckets set build_count = ? where id = ?').run(count, bucketId)
  })()
  database.close()
}
