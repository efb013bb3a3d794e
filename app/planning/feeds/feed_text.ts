import { MINUTE } from '#foundation/core/durations'
import ical, { ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Instant } from '#foundation/core/clock'
import { freezesAt, PHASES, type Phase } from '../calendar/freezes.js'
import type { Scheduled } from '../queries/release_schedule.js'
import type { NamedFreeze } from '../tables.js'

/** An app in a calendar. */
export interface FeedApp {
  /** With its platform. */
  name: string
  /** URL of the page of a release, or of the app; null if the service has no public address. */
  urlOf: (releaseId: string | null) => string | null
  scheduled: readonly Scheduled[]
  freezes: readonly NamedFreeze[]
}

export interface Feed {
  name: string
  apps: readonly FeedApp[]
}

/** Duration of a target date in a calendar, in minutes: programs hide events without duration. */
const MINUTES = 30
/** Suggested refresh interval of calendar programs, in seconds. */
const REFRESH_INTERVAL = 3600

const PHASE_TEXTS: Record<Phase, string> = {
  kickoff: 'kickoff',
  submit: 'submission for review',
  release: 'release to users',
}

/**
 * Returns a schedule as an iCalendar document (RFC 5545). Each target date is an event of its own,
 * and a train keeps its events when it is drafted; a predicted train is tentative. Times are in
 * UTC, which every program shows in its user's zone. The same schedule gives the same bytes.
 */
export function feedText({ name, apps }: Feed): string {
  const calendar = ical({
    name: escaped(plain(name)),
    prodId: { company: 'Tarmac', product: 'Release schedule', language: 'EN' },
    ttl: REFRESH_INTERVAL,
  })
  for (const app of apps) {
    for (const each of app.scheduled) {
      for (const phase of PHASES) addTarget(calendar, app, each, phase)
    }
    for (const freeze of app.freezes) addFreeze(calendar, app, freeze)
  }
  return calendar.toString()
}

type Calendar = ReturnType<typeof ical>

function addTarget(
  calendar: Calendar,
  app: FeedApp,
  { key, changedAt, entry }: Scheduled,
  phase: Phase
): void {
  const at = targetOf(entry, phase)
  if (at === null || entry.status === 'skipped') return
  const predicted = entry.predicted ? ' (predicted)' : ''
  const title = [app.name, entry.version].filter((part) => part !== null).join(' ')
  const start = new Date(at)
  calendar.createEvent({
    id: `${key}-${phase}@tarmac`,
    stamp: new Date(changedAt),
    start,
    end: new Date(start.getTime() + MINUTES * MINUTE),
    summary: plain(`${title}: ${PHASE_TEXTS[phase]}${predicted}`),
    description: plain(descriptionOf(app, entry, phase, at)),
    status: entry.predicted ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
    categories: [{ name: phase }],
    // A predicted train has no page but that of the app.
    url: app.urlOf(entry.releaseId),
  })
}

type Entry = Scheduled['entry']

const targetOf = (entry: Entry, phase: Phase) =>
  ({
    kickoff: entry.targetKickoffAt,
    submit: entry.targetSubmitAt,
    release: entry.targetReleaseAt,
  })[phase]

function descriptionOf({ freezes }: FeedApp, entry: Entry, phase: Phase, at: Instant): string {
  const { pilot } = entry
  const frozen = freezesAt(freezes, phase, at) as NamedFreeze[]
  return [
    pilot && `Pilot: ${pilot.name ?? pilot.email}${pilot.predicted ? ' (predicted)' : ''}`,
    entry.predicted && 'Follows from the cadence: there is no release yet.',
    !entry.predicted && `Status: ${entry.status}`,
    ...frozen.map(({ name }) => `Falls into the freeze ${name}: automations do not run.`),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n')
}

function addFreeze(calendar: Calendar, app: FeedApp, freeze: NamedFreeze): void {
  calendar.createEvent({
    id: `${freeze.id}@tarmac`,
    stamp: new Date(freeze.createdAt),
    start: new Date(freeze.startAt),
    end: new Date(freeze.endAt),
    summary: plain(`${app.name}: freeze ${freeze.name} (${freeze.phases.join(', ')})`),
    description: 'Automations of these phases do not run during the freeze.',
    status: ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
    categories: [{ name: 'freeze' }],
    url: app.urlOf(null),
  })
}

/** The library writes the name of a calendar as it is, unlike all other text (RFC 5545, 3.3.11). */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (each) => `\\${each}`).replace(/\n/g, '\\n')
}

/** Removes control characters except line breaks, and lone surrogates. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n]/gu, ' ')
}
