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
  words,
} from '#foundation/core/schemas'
import { MOST_ENTRIES, MOST_WEEKS, REHEARSAL_STATES } from './vocabulary.js'

const version = nonEmpty('Version of the release.', 32)
const who = object('Someone that is waited for.', {
  type: nonEmpty('As in `whyNotMoving`.', 32),
  name: nonEmpty('Name to show; of a user action, the action.', 320),
})
const reached = (what: string) => nullable(instant(`When it was ${what}; null if it was not.`))

const own = {
  id: id('Id of the rehearsal.'),
  appId: nonEmpty('Id of the app.', 100),
  state: words(REHEARSAL_STATES, 'How far it is.'),
  scenario: nonEmpty('Name of the scenario that it plays.', 100),
  weeks: Type.Integer({ description: 'Weeks that it plays.', minimum: 1, maximum: MOST_WEEKS }),
  beginsAt: instant('The first instant of the time that it plays.'),
  playedTo: nullable(instant('How far it is in that time; null before it is played.')),
  failure: nullable(text('Why it could not be played; null if it could.', 10_000)),
  createdBy: described('Who asked for it.', ActorEntity),
  createdAt: instant('When it was asked for.'),
  endedAt: nullable(instant('When it was over; null before.')),
}

const result = object('What came of it; null until it is played.', {
  begin: own.beginsAt,
  end: instant('The last instant that was played.'),
  story: object('What is drawn.', {
    releases: list(
      'Its releases in the order in which they were made.',
      object('A release.', {
        version,
        releaseType: nonEmpty('What kind of release it is.', 32),
        status: nonEmpty('Its status in the end.', 32),
        phase: nonEmpty('Its phase in the end.', 32),
        kickedOffAt: reached('kicked off'),
        submittedAt: reached('submitted'),
        approvedAt: reached('approved'),
        releasedAt: reached('released to users'),
        completedAt: reached('completed'),
        spans: list(
          'The time from its kickoff on, each part with what it waited for.',
          object('A span of time.', {
            from: instant('When it begins.'),
            to: instant('When it ends.'),
            step: nullable(
              nonEmpty(
                'Name of the step, or of what it is in place of one; null if that is not known.',
                100
              )
            ),
            code: nullable(
              nonEmpty(
                'Code of what was missing, as in `whyNotMoving`; null if it is not known.',
                100
              )
            ),
            who: list('Whoever could move it.', who, 10_000),
          }),
          1000
        ),
        steps: list(
          'Steps that are complete.',
          object('A step.', {
            name: nonEmpty('Its name.', 100),
            at: instant('When it was complete.'),
          }),
          10_000
        ),
      }),
      1000
    ),
    freezes: list(
      'Freezes of the app.',
      object('A freeze.', {
        from: instant('When it begins.'),
        to: instant('When it ends.'),
        name: nonEmpty('Its name.', 1000),
      }),
      10_000
    ),
  }),
  entries: list(
    'What happened when.',
    object('Something that happened.', {
      at: instant('When it was.'),
      kind: words(
        ['happened', 'did', 'refused', 'sent', 'world'],
        'What it is; `world` is what became of a provider by the scenario.'
      ),
      text: text('What happened.', 1000),
    }),
    MOST_ENTRIES
  ),
  left: count('Entries beyond those.'),
  sent: list(
    'What would have been sent.',
    object('Messages to one address.', {
      to: nonEmpty('A channel, or the endpoints.', 1000),
      count: count('How many.'),
      what: nonEmpty('What they are.', 1000),
    }),
    10_000
  ),
  asked: list(
    'What providers were asked to change.',
    object('Calls of a provider.', {
      provider: nonEmpty('The provider.', 1000),
      changes: count('Calls that would have changed something.'),
      refused: count('Those that it refused.'),
    }),
    10_000
  ),
  standIns: list(
    'What stood in for which provider.',
    object('A provider.', {
      integration: nonEmpty('Key of the integration.', 1000),
      type: nonEmpty('Its type.', 1000),
      standIn: nonEmpty('The type that stood in for it.', 1000),
    }),
    10_000
  ),
})

export const ListedRehearsalEntity = entity(
  'ListedRehearsalEntity',
  'A rehearsal, without what came of it.',
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
