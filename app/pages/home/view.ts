import { railOf } from '../components/rail.view.js'
import type { PageCall, PageView } from '../frame/page.js'
import { addresses, addressOf } from '../addresses.js'
import { nowOf, withoutStop } from '../words/now.js'
import { nextMoveOf, rolloutOf } from '../words/obstacles.js'
import { appName, platformName, RELEASE_TYPES } from '../words/names.js'
import {
  inSentence,
  longText,
  sinceText,
  timeOf,
  zoneName,
  type TimeReader,
} from '../words/times.js'
import { PHASES, statusLabel } from '../words/statuses.js'
import { hueOf } from '../words/hues.js'
import { beginningOf } from './beginning.js'
import type { OverviewApp, OverviewRelease } from './overview.js'
import { turnsOf, type Turn } from './turns.js'

/** The most cards of things that wait for the reader. */
const MAX_TURNS = 3

/** The most apps that are shown on one page. */
const MAX_ROWS = 200

const PHASES_IN_STORES = new Set(['submitted', 'inReview', 'readyToRelease', 'rollingOut'])

/** Filters of the list, by the word in the address. */
const TABS = [
  ['all', 'All'],
  ['turn', 'Your turn'],
  ['blocked', 'Blocked'],
  ['stores', 'In stores'],
  ['upcoming', 'Upcoming'],
] as const
type Tab = (typeof TABS)[number][0]

/** The answers that Home shows. */
interface HomeAnswers {
  /** An app with several active releases has an entry for each. */
  apps: readonly OverviewApp[]
  /** The address that the reader reaches the service at. */
  baseUrl: string
}

/** Returns the view of Home: what waits for the reader, what is stuck, what happens next. */
export function homeView(
  { apps, baseUrl }: HomeAnswers,
  { reader, query }: Pick<PageCall, 'reader' | 'query'>
) {
  const times: TimeReader = reader
  const { organization } = reader.principal
  const home = addressOf(addresses.home, { orgId: organization.id })
  const turns = turnsOf(apps, reader.principal)
  const withTurn = new Set(turns.map(({ release }) => release.id))
  const isIn: Record<Tab, (app: OverviewApp) => boolean> = {
    all: () => true,
    turn: ({ release }) => release !== null && withTurn.has(release.id),
    blocked: ({ release }) => release !== null && isBlocked(release),
    stores: ({ release }) => release !== null && PHASES_IN_STORES.has(release.phase),
    upcoming: ({ release }) => release?.phase === 'upcoming',
  }
  const chosen = TABS.find(([tab]) => tab === query.show)?.[0] ?? 'all'
  const counts = TABS.map(([tab]) => apps.filter(isIn[tab]).length)
  const all = apps.filter(isIn[chosen])
  const page = Math.max(1, Number.parseInt(query.page ?? '', 10) || 1)
  const next = { ...(chosen !== 'all' && { show: chosen }), page: String(page + 1) }
  return {
    title: 'Home',
    place: 'home',
    pollSeconds: 15,
    today: longText(reader.now, times),
    brief: briefOf(turns.length, counts[2]),
    soonest: soonestOf(apps, times),
    turns: turns.slice(0, MAX_TURNS).map((turn) => turnCard(turn, times)),
    moreTurns:
      turns.length > MAX_TURNS
        ? { text: `and ${turns.length - MAX_TURNS} more`, href: `${home}/turn` }
        : null,
    tabs: TABS.map(([tab, name], index) => ({
      name,
      count: counts[index],
      href: tab === 'all' ? home : `${home}?show=${tab}`,
      isChosen: tab === chosen,
    })),
    plan: planOf(apps, reader),
    zone: zoneName(reader.zone),
    rows: all.slice((page - 1) * MAX_ROWS, page * MAX_ROWS).map((app) => rowOf(app, reader)),
    newApp:
      apps.length > 0 && reader.may('createAppFromConfiguration')
        ? addressOf(addresses.newApp, { orgId: organization.id })
        : null,
    beginning: apps.length === 0 ? beginningOf(reader, baseUrl) : null,
    more: all.length > page * MAX_ROWS ? `${home}?${new URLSearchParams(next)}` : null,
  } satisfies PageView & Record<string, unknown>
}

/** Returns the address to plan a release: for the only app, or to choose one. */
function planOf(apps: readonly OverviewApp[], reader: PageCall['reader']): string | null {
  if (apps.length === 0 || !reader.may('createRelease')) return null
  if (apps.every(({ id }) => id === apps[0].id))
    return addressOf(addresses.newRelease, { appId: apps[0].id })
  return addressOf(addresses.chooseApp, { orgId: reader.principal.organization.id })
}

/** Returns the view of the page to choose the app of a new release. */
export const chooseAppView = (apps: readonly OverviewApp[], { params }: Pick<PageCall, 'params'>) =>
  ({
    title: 'New release',
    place: 'home',
    pollSeconds: null,
    rows: apps.map((app) => ({
      name: appName(app),
      href: addressOf(addresses.newRelease, { appId: app.id }),
      now:
        app.release === null
          ? 'No release yet.'
          : `${app.release.version}: ${statusLabel(PHASES, app.release.phase).word.toLowerCase()}.`,
    })),
    home: addressOf(addresses.home, params),
  }) satisfies PageView & Record<string, unknown>

/** Returns the view of everything that waits for the reader. */
export function turnView({ apps }: HomeAnswers, { reader }: Pick<PageCall, 'reader'>) {
  const turns = turnsOf(apps, reader.principal)
  return {
    title: 'Your turn',
    place: 'turn',
    pollSeconds: 15,
    brief:
      turns.length === 0
        ? 'Nothing is waiting for you.'
        : `${waiting(turns.length)} for you or your groups, oldest first.`,
    soonest: soonestOf(apps, reader),
    turns: turns.map((turn) => turnCard(turn, reader)),
  } satisfies PageView & Record<string, unknown>
}

const waiting = (turns: number) => `${turns} ${turns === 1 ? 'is' : 'are'} waiting`

const isBlocked = (release: OverviewRelease) =>
  release.status === 'active' &&
  (release.steps.some(({ status, hidden }) => status === 'blocked' && !hidden) ||
    rolloutOf(release)?.state === 'halted')

function briefOf(turns: number, blocked: number): string {
  const waits = turns === 0 ? 'Nothing is waiting for you' : `${waiting(turns)} for you`
  return blocked === 0 ? waits : `${waits}, ${blocked} ${blocked === 1 ? 'is' : 'are'} blocked`
}

/** Returns the first automatic move of any release, in one sentence. */
function soonestOf(apps: readonly OverviewApp[], times: TimeReader): string | null {
  const moves = apps.flatMap(({ name, release }) => {
    const move = release && nextMoveOf(release.whyNotMoving.next)
    return move ? [{ name, release, move }] : []
  })
  const first = moves.sort((a, b) => a.move.at.localeCompare(b.move.at))[0]
  if (!first) return null
  const { name, release, move } = first
  return `${name} ${release.version}, ${withoutStop(move.message)}, ${inSentence(move.at, times)}`
}

function turnCard({ app, release, stepId, ...turn }: Turn, times: TimeReader) {
  const params = { appId: app.id, releaseId: release.id, stepId: stepId ?? '' }
  const path = stepId ? addresses.step : addresses.release
  return {
    letter: letterOf(app.name),
    hue: hueOf(app.appGroup ?? app.name),
    text: turn.text,
    about: `${appName(app)} ${release.version} · ${turn.about}`,
    since: turn.since ? sinceText(turn.since, times.now) : null,
    href: addressOf(path, params),
    verb: turn.verb,
  }
}

const letterOf = (name: string) => [...name][0]?.toUpperCase() ?? '?'

function rowOf(app: OverviewApp, reader: PageCall['reader']) {
  const { release } = app
  const params = { appId: app.id }
  const platform = platformName(app.platform)
  const isOver = release === null || release.status === 'completed' || release.status === 'skipped'
  const about = {
    letter: letterOf(app.name),
    hue: hueOf(app.appGroup ?? app.name),
    name: app.name,
    platform,
    /** The link to plan a release for readers who may do so, as none is under way. */
    plan: isOver && reader.may('createRelease') ? addressOf(addresses.newRelease, params) : null,
  }
  if (!release) return { ...about, release: null, href: addressOf(addresses.app, params) }
  const type = RELEASE_TYPES[release.releaseType] ?? release.releaseType
  const isUpcoming = release.phase === 'upcoming'
  return {
    ...about,
    href: addressOf(addresses.release, { ...params, releaseId: release.id }),
    release: {
      version: release.version,
      kind: isUpcoming
        ? 'upcoming'
        : [release.releaseName, type.toLowerCase()].filter(Boolean).join(' · '),
      rail: railOf(release.steps, release.health === 'unhealthy'),
      now: nowOf(release, reader.principal, reader),
      next: nextOf(release, reader),
    },
  }
}

/** Returns the next automatic move of a release, else its next target date. */
function nextOf(release: OverviewRelease, times: TimeReader) {
  const move = nextMoveOf(release.whyNotMoving.next)
  if (move) return { text: withoutStop(move.message), time: timeOf(move.at, times), note: null }
  const target = targetOf(release)
  if (target) return { text: target.name, time: timeOf(target.at, times), note: 'by plan' }
  return { text: 'Nothing is planned', time: null, note: null }
}

/** Returns the target date of the next stage that a release has not reached. */
function targetOf({ phase, status, ...release }: OverviewRelease) {
  if (status === 'completed' || status === 'skipped') return null
  const stages = [
    ['Kickoff', release.targetKickoffAt, ['upcoming']],
    ['Submit', release.targetSubmitAt, ['upcoming', 'kickedOff', 'readyToSubmit', 'rejected']],
    ['Release', release.targetReleaseAt, null],
  ] as const
  const next = stages.find(
    ([, at, phases]) => at && (phases === null || (phases as readonly string[]).includes(phase))
  )
  return next ? { name: next[0], at: next[1]! } : null
}
