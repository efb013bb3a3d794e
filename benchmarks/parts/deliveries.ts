import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fixed } from '../figures.js'
import { SECONDS } from '../load.js'
import type { Row } from '../part.js'
import { makeApp, makeItems, makeRelease, seed, setStatuses, type Seeded } from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'

const RELEASES = 20
const ITEMS = 100

/** Measures webhook deliveries per second from a backlog, to one endpoint and to twenty. */
export function measureDeliveries(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const appId = await makeApp(seeded, 'Bench')
    const releaseIds: string[] = []
    for (let index = 0; index < RELEASES; index++) {
      releaseIds.push(await makeRelease(seeded, appId, `1.${index}.0`))
    }
    const itemIds = await makeItems(seeded, appId, ITEMS)
    const releases = releaseIds.map((releaseId) => ({ appId, releaseId, itemIds }))

    const receiver = await receive()
    try {
      await subscribe(seeded, receiver.url, 1)
      const one = await drain(seeded, releases, receiver, { endpoints: 1, status: 'inProgress' })
      await subscribe(seeded, receiver.url, 19)
      const twenty = await drain(seeded, releases, receiver, { endpoints: 20, status: 'failed' })
      const what = `webhook deliveries, ${NAMES[database]}`
      return [
        { what: `${what}, 1 endpoint`, service: `${fixed(one)} /s` },
        { what: `${what}, 20 endpoints`, service: `${fixed(twenty)} /s`, aim: 'at least 600 /s' },
      ]
    } finally {
      receiver.close()
    }
  })
}

/** A receiver that reads each webhook, answers 204 and counts. */
async function receive() {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received: () => count,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function subscribe({ api, organizationId }: Seeded, url: string, endpoints: number) {
  const body = { url, events: ['checklistItem.statusChanged'] }
  for (let index = 0; index < endpoints; index++) {
    await api.call('POST', `/org/${organizationId}/webhookEndpoint`, body)
  }
}

/**
 * Causes events of many releases at once, then times the deliveries that are still pending;
 * answers deliveries per second.
 */
async function drain(
  { api }: Seeded,
  releases: Parameters<typeof setStatuses>[1][],
  { received }: Awaited<ReturnType<typeof receive>>,
  { endpoints, status }: { endpoints: number; status: string }
): Promise<number> {
  const items = Math.ceil(Math.min(ITEMS, 20 * SECONDS) / endpoints)
  const expected = received() + releases.length * items * endpoints
  for (const release of releases) {
    await setStatuses(api, { ...release, itemIds: release.itemIds.slice(0, items) }, status)
  }
  const pending = expected - received()
  const began = performance.now()
  while (received() < expected) await pause(5)
  return (pending * 1000) / (performance.now() - began)
}
