import { ensureChannel, post, reword, type SimulatedChat } from '#simulated-providers/chat'
import { resultsAt, testRunsAt } from '#simulated-providers/test_runs'
import {
  ensureVersion,
  storeTicket,
  ticketsOf,
  type SimulatedTicket,
  type SimulatedTracker,
} from '#simulated-providers/tracker'
import { versionsUntil } from './arrivals.js'
import {
  answered,
  includes,
  noAddress,
  paged,
  Refusal,
  textIn,
  textsIn,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import type { World } from './world.js'

/*
 * Answers of a world's chat, issue tracker and test management.
 */

export function respondForChat(world: World, now: number, request: WorldRequest): WorldResponse {
  const { path, query, isChange, key } = request
  const [resource, id, part, message] = path
  const { chat } = world
  const store = (next: SimulatedChat, body: object) => answered({ ...world, chat: next }, body)
  if (resource === 'users' && !isChange) {
    const found = chat.users.find(({ email }) => email === query.get('email'))
    if (!found) throw new Refusal(404, 'There is no such person')
    return answered(world, { id: found.id })
  }
  if (resource !== 'channels') throw noAddress()
  if (id === undefined && isChange) {
    const { chat: next, channel } = ensureChannel(chat, textIn(request, 'name'))
    return store(next, channel)
  }
  if (id === undefined) {
    const term = query.get('query') ?? ''
    const found = chat.channels.filter(({ name }) => name.includes(term))
    return answered(world, paged(found, query))
  }
  if (!chat.channels.some((each) => each.id === id))
    throw new Refusal(404, `There is no channel ${id}`)
  if (part !== 'messages') throw noAddress()
  const posts = chat.posts.filter(({ channelId }) => channelId === id)
  if (!isChange) return answered(world, paged(posts, query))
  const text = textIn(request, 'text')
  if (message === undefined) {
    const { threadOf } = request.body
    const draft = { channelId: id, text, threadOf: typeof threadOf === 'string' ? threadOf : null }
    const { chat: next, post: created } = post(chat, now, { ...draft, key })
    return store(next, { id: created.id })
  }
  if (!posts.some((each) => each.id === message)) throw new Refusal(404, 'There is no such message')
  return store(reword(chat, message, text), { id: message })
}

export function respondForTracker(world: World, now: number, request: WorldRequest): WorldResponse {
  const { path, query, isChange } = request
  const [resource, id, part, name] = path
  const { tracker, seed } = world
  const store = (next: SimulatedTracker, result: object) =>
    answered({ ...world, tracker: next }, result)
  const all = (project: string) =>
    ticketsOf(tracker, { seed, now, project }, versionsUntil(world, now))
  const find = (key: string) => all(projectOf(key)).find((each) => each.key === key)
  const shown = (ticket: SimulatedTicket) => shownTicket(tracker, ticket)
  if (resource === 'statuses' && !isChange) return answered(world, { items: tracker.statuses })
  if (resource === 'tickets' && id === undefined && !isChange) {
    const found = [...new Set(query.getAll('project'))].flatMap(all).filter(matches(query))
    return answered(world, paged(found, query, shown))
  }
  if (resource === 'tickets' && id !== undefined) {
    const ticket = find(id)
    if (!ticket) throw new Refusal(404, `There is no ticket ${id}`)
    if (!isChange) return answered(world, shown(ticket))
    if (part === 'labels') {
      const labels = [...new Set([...ticket.labels, ...textsIn(request, 'labels')])]
      const next = storeTicket(tracker, { ...ticket, labels })
      return store(next, shownTicket(next, { ...ticket, labels }))
    }
    if (part !== 'versions') throw noAddress()
    const versions = [...new Set([...ticket.versions, textIn(request, 'version')])]
    const next = storeTicket(tracker, { ...ticket, versions })
    return store(next, shownTicket(next, { ...ticket, versions }))
  }
  if (resource !== 'projects' || part !== 'versions' || !isChange) throw noAddress()
  const versionName = name ?? textIn(request, 'name')
  const exists =
    tracker.versions.some((each) => each.project === id && each.name === versionName) ||
    all(id).some(({ versions }) => versions.includes(versionName))
  if (name !== undefined && !exists) throw new Refusal(404, `There is no version ${versionName}`)
  const created = ensureVersion(tracker, id, versionName)
  if (name === undefined) return store(created.tracker, { id: created.version.id })
  const releasedAt = textIn(request, 'releasedAt')
  const versions = created.tracker.versions.map((each) =>
    each.id === created.version.id ? { ...each, releasedAt } : each
  )
  return store({ ...created.tracker, versions }, { id: created.version.id })
}

const projectOf = (key: string) => key.slice(0, key.lastIndexOf('-'))

const matches = (query: URLSearchParams) => {
  const [version, label] = [query.get('version'), query.get('label')]
  const keys = query.getAll('key')
  return ({ key, labels, versions }: SimulatedTicket) =>
    (version === null || versions.includes(version)) &&
    (label === null || labels.includes(label)) &&
    includes(keys, key)
}

const shownTicket = ({ statuses }: SimulatedTracker, ticket: SimulatedTicket) => ({
  id: ticket.key,
  key: ticket.key,
  title: ticket.title,
  status: ticket.status,
  done: statuses.some(({ name, done }) => name === ticket.status && done),
  labels: ticket.labels,
  versions: ticket.versions,
  ...(ticket.assignee !== undefined && { assignee: ticket.assignee }),
})

export function respondForTests(world: World, now: number, request: WorldRequest): WorldResponse {
  const { path, query, isChange } = request
  const [resource, id, part] = path
  if (resource !== 'runs' || isChange) throw noAddress()
  const tested = { seed: world.seed, now, versions: versionsUntil(world, now) }
  const runs = testRunsAt(world.tests, tested)
  const shown = (run: (typeof runs)[number]) => {
    const counts: Record<string, number> = {}
    for (const { status } of resultsAt(world.tests, tested, run.id)) {
      counts[status] = (counts[status] ?? 0) + 1
    }
    return { id: run.id, name: run.name, closed: run.closed, counts }
  }
  if (id === undefined) {
    const words = query.getAll('keyword').map((each) => each.toLowerCase())
    const [project, version] = [query.get('project'), query.get('version') ?? '']
    const escaped = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const isVersion = new RegExp(`(?<![\\d.])${escaped}(?!\\d|\\.\\d)`)
    const found = runs.filter(
      (run) =>
        (project === null || run.project === null || run.project === project) &&
        words.every((word) => run.name.toLowerCase().includes(word)) &&
        isVersion.test(run.name)
    )
    return answered(world, paged(found, query, shown))
  }
  const run = runs.find((each) => each.id === id)
  if (!run) throw new Refusal(404, `There is no test run ${id}`)
  if (part === undefined) return answered(world, shown(run))
  if (part !== 'results') throw noAddress()
  return answered(world, paged(resultsAt(world.tests, tested, id), query))
}
