import assert from 'node:assert/strict'
import type { CapabilityMap } from '../../capabilities/map.js'
import type { Page } from '../../context.js'
import type { Kind } from '../../kinds.js'

/** The result of an assumption that the account has no data for. */
export const UNSEEN = Symbol('unseen')

/** An assumption of a plugin about its provider that a read can confirm. */
export interface Assumption<Capability> {
  title: string
  /** @throws what contradicts it */
  holds(
    capability: Capability,
    data: Readonly<Record<string, unknown>>
  ): Promise<typeof UNSEEN | void>
}

/** A name and a number that nothing in any account has. */
const NONE = 'tarmac-conformance-no-such-thing'
const NO_NUMBER = '999999999999'

const isHash = (text: string) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

function requireInstant(text: string): void {
  assert.ok(!Number.isNaN(Date.parse(text)), `"${text}" is no time`)
}

/** @throws where two pages of a list have an entry in common */
async function requireApart<Item>(
  read: (cursor?: string) => Promise<Page<Item>>,
  idOf: (item: Item) => string
): Promise<typeof UNSEEN | void> {
  const first = await read()
  if (first.next === undefined) return UNSEEN
  const ids = new Set(first.items.map(idOf))
  const { items } = await read(first.next)
  assert.deepEqual(
    items.map(idOf).filter((id) => ids.has(id)),
    []
  )
}

const isNewestFirst = (times: readonly string[]) =>
  times.every((time, index) => index === 0 || Date.parse(times[index - 1]) >= Date.parse(time))

type Assumptions = { [Each in Kind]?: readonly Assumption<CapabilityMap[Each]>[] }

/** Assumptions by kind. For a kind without any, only the connection is tried. */
export const ASSUMPTIONS: Assumptions = {
  versionControl: [
    {
      title: 'a branch that is not there is null',
      async holds(code) {
        assert.equal(await code.getBranch(NONE), null)
      },
    },
    {
      title: 'tags have full hashes and times, the newest first',
      async holds(code) {
        const { items } = await code.listTags('')
        if (items.length === 0) return UNSEEN
        for (const { sha } of items) assert.ok(isHash(sha), `"${sha}" is no full hash`)
        for (const { at } of items) requireInstant(at)
        assert.ok(isNewestFirst(items.map(({ at }) => at)), 'they are in another order')
      },
    },
    {
      title: 'pages of tags have nothing in common',
      holds: (code) =>
        requireApart(
          (cursor) => code.listTags('', cursor),
          ({ name }) => name
        ),
    },
    {
      title: 'commits between two tags have hashes, times and parents',
      async holds(code) {
        const { items } = await code.listTags('')
        const [newer, older] = items
        if (!older) return UNSEEN
        const { items: commits, ahead } = await code.compare(older.name, newer.name)
        assert.ok(commits.length <= ahead, `${commits.length} commits, and ${ahead} ahead`)
        for (const { sha, at, parents } of commits) {
          assert.ok([sha, ...parents].every(isHash), `${sha} or a parent is no full hash`)
          requireInstant(at)
        }
      },
    },
    {
      title: 'a file that is not there is null',
      async holds(code) {
        const { items } = await code.listTags('')
        if (!items[0]) return UNSEEN
        assert.equal(await code.readFile(NONE, items[0].name), null)
      },
    },
    {
      title: 'open pull requests have known states',
      async holds(code) {
        const { items = [] } = (await code.listOpenPullRequests?.()) ?? {}
        if (items.length === 0) return UNSEEN
        for (const { status } of items)
          assert.ok(['open', 'draft'].includes(status.state), status.raw)
      },
    },
  ],
  ci: [
    {
      title: 'workflows have ids and names',
      async holds(ci) {
        const { items } = await ci.listWorkflows('')
        if (items.length === 0) return UNSEEN
        for (const { id, name } of items) assert.ok(id !== '' && name !== '')
      },
    },
    {
      title: 'a run that is not there is null',
      async holds(ci) {
        assert.equal(await ci.getRun(NO_NUMBER), null)
      },
    },
    {
      title: 'runs have known states and full hashes, the newest first',
      async holds(ci) {
        const { items } = await ci.listRuns({})
        if (items.length === 0) return UNSEEN
        for (const { status, sha } of items) {
          assert.notEqual(status.state, 'unknown', status.raw)
          assert.ok(isHash(sha), `"${sha}" is no full hash`)
        }
        const times = items.flatMap(({ startedAt }) => startedAt ?? [])
        assert.ok(isNewestFirst(times), 'they are in another order')
      },
    },
    {
      title: 'a run is the same alone and in the list, and its artifacts have sizes',
      async holds(ci) {
        const { items } = await ci.listRuns({})
        const [listed] = items.filter(({ finishedAt }) => finishedAt !== undefined)
        if (!listed) return UNSEEN
        const alone = await ci.getRun(listed.id)
        assert.deepEqual(
          [alone?.sha, alone?.branch, alone?.status.state],
          [listed.sha, listed.branch, listed.status.state]
        )
        for (const { bytes } of await ci.listArtifacts(listed.id)) assert.ok(bytes >= 0)
      },
    },
  ],
  issueTracking: [
    {
      title: 'statuses have names, and one is done',
      async holds(tracker, { projects }) {
        const [project] = Array.isArray(projects) ? (projects as string[]) : []
        if (!project) return UNSEEN
        const statuses = await tracker.listStatuses(project)
        assert.ok(
          statuses.some(({ done }) => done),
          'none of them is done'
        )
      },
    },
    {
      title: 'a ticket is the same alone and in the list',
      async holds(tracker, { projects }) {
        const of = Array.isArray(projects) ? (projects as string[]) : []
        const { items } = await tracker.search({ projects: of })
        if (!items[0]) return UNSEEN
        assert.deepEqual((await tracker.get(items[0].key))?.title, items[0].title)
      },
    },
  ],
  appStore: [
    {
      title: 'versions have known states',
      async holds(store) {
        const { items } = await store.listVersions({})
        if (items.length === 0) return UNSEEN
        for (const { status } of items) assert.notEqual(status.state, 'unknown', status.raw)
      },
    },
    {
      title: 'builds have known states and times',
      async holds(store) {
        const { items } = await store.listBuilds({})
        if (items.length === 0) return UNSEEN
        for (const { status, uploadedAt } of items) {
          assert.notEqual(status.state, 'unknown', status.raw)
          if (uploadedAt !== '') requireInstant(uploadedAt)
        }
      },
    },
    {
      title: 'a version that is not there is in no list',
      async holds(store) {
        assert.deepEqual((await store.listVersions({ version: '999.999.999' })).items, [])
      },
    },
  ],
  betaTesting: [
    {
      title: 'groups have ids and names',
      async holds(beta) {
        const { items } = await beta.listGroups()
        if (items.length === 0) return UNSEEN
        for (const { id, name } of items) assert.ok(id !== '' && name !== '')
      },
    },
  ],
  chat: [
    {
      title: 'channels have ids and names, and their pages nothing in common',
      async holds(chat) {
        const { items } = await chat.listChannels('')
        for (const { id, name } of items) assert.ok(id !== '' && name !== '')
        return requireApart(
          (cursor) => chat.listChannels('', cursor),
          ({ id }) => id
        )
      },
    },
    {
      title: 'nobody has an address that is nobody’s',
      async holds(chat) {
        if (!chat.findUserByEmail) return UNSEEN
        assert.equal(await chat.findUserByEmail(`${NONE}@example.invalid`), null)
      },
    },
  ],
}
