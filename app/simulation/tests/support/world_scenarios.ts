import type { Scenario, VersionControlScenario } from '#plugin-kit/fake/scenario'
import { USUAL_REPOSITORY, type SimulatedRepository } from '#simulated-providers/repository'
import type { SimulatedTicket } from '#simulated-providers/tracker'
import type { World } from '../../world/world.js'

/*
 * Converts between scenarios of the kit's conformance suite and the state of a world, for kinds
 * that are not stores.
 */

/** Returns a world with the content of a scenario. */
export function scenarioWorld(world: World, scenario: Scenario): World {
  const { chat, issueTracking, testManagement, experimentation } = scenario
  const { versionControl: code } = scenario
  const { onCall, localization, crashMonitoring, productAnalytics } = scenario
  let next = world
  if (code) next = { ...next, repositories: { [REPO]: repositoryOf(code) } }
  if (chat) {
    const { channels, users } = chat
    const posts = chat.posts.map(({ threadOf = null, ...each }) => ({
      ...each,
      threadOf,
      ...{ at: 0, key: null },
    }))
    next = { ...next, chat: { channels, users, posts } }
  }
  if (issueTracking) {
    const tickets = issueTracking.tickets.map((each): SimulatedTicket => ({
      ...each,
      idempotencyKey: null,
    }))
    next = { ...next, tracker: { ...next.tracker, ...issueTracking, tickets } }
  }
  if (testManagement) next = { ...next, tests: { ...next.tests, ...testManagement } }
  if (experimentation) next = { ...next, flags: { known: [], flags: experimentation.flags } }
  if (onCall) {
    const shifts = onCall.shifts.map(({ from, until, ...each }) => ({
      ...each,
      ...{ from: Date.parse(from), until: Date.parse(until) },
    }))
    next = { ...next, onCall: { schedules: onCall.schedules, people: [], shifts } }
  }
  if (localization) {
    const { locales } = localization
    next = { ...next, translations: { locales, untranslated: [] } }
  }
  if (crashMonitoring) {
    const issues = crashMonitoring.issues.map((each) => ({ ...each, at: Date.parse(each.at) }))
    const given = { versions: crashMonitoring.versions, issues }
    next = { ...next, crashes: { spikes: [], given } }
  }
  if (productAnalytics) {
    const { events, shares } = productAnalytics
    const points = productAnalytics.points.map((each) => ({ ...each, at: Date.parse(each.at) }))
    next = { ...next, analytics: { events, drops: [], given: { points, shares } } }
  }
  return next
}

const REPO = 'acme/app'

function repositoryOf(code: VersionControlScenario): SimulatedRepository {
  const at = (sha: string) => Date.parse(code.commits.find((each) => each.sha === sha)!.at)
  return {
    ...USUAL_REPOSITORY,
    branches: code.branches,
    commits: code.commits.map((each) => ({
      ...each,
      at: Date.parse(each.at),
      files: Object.fromEntries(each.files.map(({ path, text }) => [path, text])),
      key: null,
    })),
    tags: code.tags.map((tag) => ({ ...tag, at: at(tag.sha) })),
    pulls: code.pulls.map((pull) => ({ ...pull, body: '', openedAt: 0, key: null })),
    releases: code.releases,
  }
}

function codeOf({ branches, commits, tags, pulls, releases, statuses = [] }: SimulatedRepository) {
  return {
    branches: [...branches],
    commits: commits.map(({ files, at, parents, key, ...each }) => ({
      ...each,
      at: new Date(at).toISOString(),
      parents: [...parents],
      files: Object.entries(files).map(([path, text]) => ({ path, text: text ?? '' })),
    })),
    tags: tags.map(({ name, sha }) => ({ name, sha })),
    pulls: pulls.map(({ number, title, head, base, sha, state }) => ({
      ...{ number, title, head, base, sha, state },
    })),
    releases: [...releases],
    statuses: [...statuses],
    conflicting: [],
  }
}

/** Returns the state of a world as a scenario of the suite, without parts that never change. */
export function scenarioOfWorld(world: World): Scenario {
  const { chat, tracker, flags, translations } = world
  const repository = world.repositories[REPO]
  return {
    ...(repository ? { versionControl: codeOf(repository) } : {}),
    chat: {
      channels: [...chat.channels],
      users: [...chat.users],
      posts: chat.posts.map(({ id, channelId, text, threadOf }) => ({
        ...{ id, channelId, text },
        ...(threadOf === null ? {} : { threadOf }),
      })),
    },
    issueTracking: {
      statuses: [...tracker.statuses],
      tickets: tracker.tickets.map(({ labels, versions, ...each }) => ({
        ...each,
        labels: [...labels],
        versions: [...versions],
      })),
      versions: [...tracker.versions],
    },
    experimentation: { flags: [...flags.flags] },
    localization: { locales: [...translations.locales] },
  }
}
