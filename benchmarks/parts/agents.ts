import type autocannon from 'autocannon'
import type { Api } from '../api.js'
import { fixed, inTurn, ratio, reported } from '../figures.js'
import { everyConnection, Load, statusChanges } from '../load.js'
import type { Row } from '../part.js'
import { cpuOf } from '../processes.js'
import { makeRunningRelease, seed, type Seeded } from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'

const REVISION = '2026-07-28'
const CLIENTS = 200

/** Metadata that a client of the protocol sends with every request. */
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A call of a tool, as a client of the protocol sends it. */
function toolCall(name: string, args: Record<string, unknown>): autocannon.Request {
  const params = { name, arguments: args, _meta: META }
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      'accept': 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

/** @throws unless the tool answers the call without an error */
async function requireDone({ base, key }: Api, call: autocannon.Request): Promise<void> {
  const headers = { ...(call.headers as Record<string, string>), 'x-api-key': key }
  const answer = await fetch(`${base}${call.path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: call.body as string,
  })
  const text = await answer.text()
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } }
  if (!result || result.isError) throw new Error(text)
}

/** Measures the service's own processor time for each request, in milliseconds. */
function costOfEach({ api, service }: Seeded, requests: autocannon.Request[][]) {
  const load = new Load(api, requests)
  return async () => {
    const [before, answered] = [cpuOf(service.pid), load.answered]
    await load.measure()
    return (cpuOf(service.pid) - before) / (load.answered - answered)
  }
}

/** Measures calls of tools against the REST calls that do the same, in turn. */
export function measureAgents(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const rows: Row[] = []
    const seeded = await seed(stand)
    const release = await makeRunningRelease(seeded)
    const { appId, releaseId, itemIds, detail } = release
    const path = `/app/${appId}/release/${releaseId}`
    const get = (url: string) => everyConnection({ method: 'GET', path: url })
    const calls = (name: string, args: Record<string, unknown>) =>
      everyConnection(toolCall(name, { appId, releaseId, ...args }))
    const status = statusChanges(release, 10)
    const sides: Record<string, [autocannon.Request[][], autocannon.Request[][]]> = {
      'a release': [get(detail), calls('find_releases', { action: 'get' })],
      'why it is not moving': [
        get(`${path}/whyNotMoving`),
        calls('why_not_moving', { action: 'ask' }),
      ],
      'its items': [get(`${path}/checklistItems`), calls('find_items', { action: 'list' })],
      'its timeline': [
        get(`${path}/timelineEvents?limit=5`),
        calls('read_timeline', { action: 'release', limit: 5 }),
      ],
      'status of an item': [
        status,
        status.map((cycle, connection) =>
          cycle.map(({ body }, index) => {
            const own = itemIds.filter((_id, at) => at % status.length === connection)
            const checklistItemId = own[index % own.length]
            const args = { appId, releaseId, checklistItemId, body: JSON.parse(body as string) }
            return toolCall('set_items', { action: 'set_status', ...args })
          })
        ),
      ],
    }
    for (const [what, [restRequests, toolRequests]] of Object.entries(sides)) {
      await requireDone(seeded.api, toolRequests[0][0])
      const rest = costOfEach(seeded, restRequests)
      const tool = costOfEach(seeded, toolRequests)
      // The first run of each warms up.
      await rest()
      await tool()
      const figures = await inTurn({ rest, tool })
      rows.push({
        what: `processor time of a call of a tool (\`POST /mcp\`), ${NAMES[database]}: ${what}`,
        service: reported(figures.tool, 'ms', 2),
        beside: `REST ${reported(figures.rest, 'ms', 2)}`,
        ratio: ratio(figures.tool, figures.rest),
        aim: 'at most 1.3',
      })
    }
    const crowd = Array.from({ length: CLIENTS }, () => [
      toolCall('look_around', { action: 'apps' }),
    ])
    const rate = await new Load(seeded.api, crowd).measure()
    const what = `calls of tools by ${CLIENTS} clients at once, ${NAMES[database]}`
    return [...rows, { what, service: `${fixed(rate)} /s`, aim: 'all answered' }]
  })
}
