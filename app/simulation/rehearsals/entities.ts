import { Type, type Static } from '@sinclair/typebox'
import {
  ActorEntity,
  count,
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { MAX_ENTRIES, MAX_WEEKS, REHEARSAL_STATES } from './vocabulary.js'

const version = nonEmpty('Version of the release.', 32)
const who = object('Someone who is waited for.', {
  type: nonEmpty('Type, as in `whyNotMoving`.', 32),
  name: nonEmpty('Display name; for a user action, the action.', 320),
})
const reached = (what: string) => nullable(instant(`When it was ${what}; null if it was not.`))

const own = {
  id: id('Id of the rehearsal.'),
  appId: nonEmpty('Id of the app.', 100),
  state: enumOf(REHEARSAL_STATES, 'Status of the rehearsal.'),
  scenario: nonEmpty('Name of the scenario.', 100),
  weeks: Type.Integer({ description: 'Number of weeks to play.', minimum: 1, maximum: MAX_WEEKS }),
  beginsAt: instant('Start of the simulated time.'),
  playedTo: nullable(instant('Simulated time reached; null before it is played.')),
  failure: nullable(text('Why it failed; null if it did not.', 10_000)),
  createdBy: described('Who started it.', ActorEntity),
  createdAt: instant('When it was requested.'),
  endedAt: nullable(instant('When it ended; null until then.')),
}

const result = object('Result; null until it is played.', {
  begin: own.beginsAt,
  end: instant('End of the simulated time.'),
  story: object('Data of the chart.', {
    releases: list(
      'Releases, in order of creation.',
      object('A release.', {
        version,
        releaseType: nonEmpty('Type of the release.', 32),
        status: nonEmpty('Final status.', 32),
        phase: nonEmpty('Final phase.', 32),
        kickedOffAt: reached('kicked off'),
        submittedAt: reached('submitted'),
        approvedAt: reached('approved'),
        releasedAt: reached('released to users'),
        completedAt: reached('completed'),
        spans: list(
          'Time since kickoff, divided by what the release waited for.',
          object('A span of time.', {
            from: instant('Start time.'),
            to: instant('End time.'),
            step: nullable(
              nonEmpty('Name of the step, or of what counts as one; null if unknown.', 100)
            ),
            code: nullable(
              nonEmpty('Code of what was missing, as in `whyNotMoving`; null if unknown.', 100)
            ),
            who: list('Who could move it.', who, 10_000),
          }),
          1000
        ),
        steps: list(
          'Complete steps.',
          object('A step.', {
            name: nonEmpty('Name of the step.', 100),
            at: instant('When the step was completed.'),
          }),
          10_000
        ),
      }),
      1000
    ),
    freezes: list(
      'Freezes of the app.',
      object('A freeze.', {
        from: instant('Start time.'),
        to: instant('End time.'),
        name: nonEmpty('Name of the freeze.', 1000),
      }),
      10_000
    ),
  }),
  entries: list(
    'Events with their times.',
    object('An event.', {
      at: instant('When it happened.'),
      kind: enumOf(
        ['happened', 'did', 'refused', 'sent', 'world'],
        'Kind of event; `world` is an event of the scenario at a provider.'
      ),
      text: text('What happened.', 1000),
    }),
    MAX_ENTRIES
  ),
  left: count('Number of further entries.'),
  sent: list(
    'Messages that would have been sent.',
    object('Messages to one address.', {
      to: nonEmpty('A channel, or the endpoints.', 1000),
      count: count('Number of messages.'),
      what: nonEmpty('Kind of messages.', 1000),
    }),
    10_000
  ),
  asked: list(
    'Changes requested from providers.',
    object('Calls to a provider.', {
      provider: nonEmpty('The provider.', 1000),
      changes: count('Calls that would have made changes.'),
      refused: count('Calls that it refused.'),
    }),
    10_000
  ),
  standIns: list(
    'Stand-ins for providers.',
    object('A provider.', {
      integration: nonEmpty('Key of the integration.', 1000),
      type: nonEmpty('Type of the provider.', 1000),
      standIn: nonEmpty('Type of the stand-in.', 1000),
    }),
    10_000
  ),
})

export const ListedRehearsalEntity = entity(
  'ListedRehearsalEntity',
  'A rehearsal without its result.',
  own
)
export type ListedRehearsalEntity = Static<typeof ListedRehearsalEntity>

export const RehearsalEntity = entity('RehearsalEntity', 'A rehearsal of an app.', {
  ...own,
  result: nullable(result),
})
export type RehearsalEntity = Static<typeof RehearsalEntity>

export const exampleListedRehearsal: ListedRehearsalEntity = {
  id: 'rehearsal_4hXc8NvQ2mLk7RtZy1Pd',
  appId: 'acme-ios',
  state: 'playing',
  scenario: 'rejected',
  weeks: 3,
  beginsAt: '2026-11-16T08:00:00.000Z',
  playedTo: '2026-11-24T15:12:00.000Z',
  failure: null,
  createdBy: { type: 'user', id: 'user_2kPz7WmC9tXb4JqLs6Nv', name: 'Grace' },
  createdAt: '2026-11-16T08:00:00.000Z',
  endedAt: null,
}

export const exampleRehearsal: RehearsalEntity = { ...exampleListedRehearsal, result: null }
