/*
 * What the service is measured against: node:http and better-sqlite3, the same rows of
 * the same database as the same kind of answer, and nothing else: no key, no limits, no
 * validation, no events, no entity tags.
 */
import Database from 'better-sqlite3'
import { createServer } from 'node:http'

const database = new Database(process.env.BENCH_DATABASE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
database.pragma('busy_timeout = 10000')

const release = database.prepare(
  `select r.*, u.email as pilot_email, u.name as pilot_name from releases r left join users u on u.id = r.pilot_id
   where r.app_id = ? and r.version_major = ? and r.version_minor = ? and r.version_patch = ?`
)
const steps = database.prepare(
  `select s.id, s.step_config_id, s.name, s.type, s.group_index, s.position, s.required, s.destination_id, s.status,
     s.status_changed_at, n.id as run_id, n.attempt, n.facts
   from release_steps s join step_runs n on n.id = s.step_run_id where s.release_id = ? order by s.group_index, s.position, s.id`
)
const items = database.prepare(
  `select i.*, c.app_id, c.created_at as item_created_at, c.release_id as one_off_release_id, s.type as step_type
   from release_items i join checklist_items c on c.id = i.item_id join release_steps s on s.id = i.step_id
   where i.release_id = ? order by s.group_index, s.position, s.id, i.position, i.item_id`
)
const page = database.prepare(
  `select * from releases where app_id = ? and (version_major, version_minor, version_patch) < (?, ?, ?)
   order by version_major desc, version_minor desc, version_patch desc limit 51`
)
const item = database.prepare('select * from release_items where release_id = ? and item_id = ?')
const setStatus = database.prepare(
  'update release_items set status = ?, status_updated_at = ? where release_id = ? and item_id = ?'
)

const parts = (text) => text.split('.').map(Number)

createServer((request, response) => {
  const answer = (body) => {
    const bytes = JSON.stringify(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(bytes),
    })
    response.end(bytes)
  }
  const [path] = request.url.split('?')
  const segments = path.split('/')
  if (path === '/health/ready') return answer({ status: 'ok' })
  if (request.method === 'GET' && segments.length === 6) {
    // /v2/app/{appId}/releases/{releaseId}
    const found = release.get(segments[3], ...parts(segments[5].split(':')[1]))
    return answer({ ...found, steps: steps.all(found.id), items: items.all(found.id) })
  }
  if (request.method === 'GET') return answer({ data: page.all(segments[3], 999999999, 0, 0) })

  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    // /app/{appId}/release/{releaseId}/checklistItem/{id}/status
    const { status } = JSON.parse(Buffer.concat(chunks).toString())
    const found = release.get(segments[2], ...parts(segments[4].split(':')[1]))
    setStatus.run(status, new Date().toISOString(), found.id, segments[6])
    answer(item.get(found.id, segments[6]))
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
