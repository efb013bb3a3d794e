import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  described,
  entity,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
} from '#foundation/core/schemas'

const share = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const state = (of: string) => nonEmpty(`State of ${of}, in the words of its provider.`, 100)
const versionName = (of: string) => text(`Version of ${of}.`, 200)
const bundleId = nonEmpty('Bundle id or package name of the app.', 200)

const SimulatedRunEntity = entity('SimulatedRunEntity', 'A run of the simulated CI system.', {
  id: nonEmpty('Id of the run.', 100),
  workflowId: nonEmpty('Id of the workflow that runs.', 200),
  branch: text('Branch that is built.', 1000),
  state: state('the run'),
  endsAt: instant('When it ends, or did, in the time of the world.'),
})

const SimulatedAppStoreEntity = entity(
  'SimulatedAppStoreEntity',
  'What the simulated App Store has of an app.',
  {
    bundleId,
    builds: list(
      'The builds that it was sent, oldest first.',
      object('A build.', {
        id: nonEmpty('Id of the build.', 200),
        version: versionName('the build'),
        number: nonEmpty('Number of the build.', 100),
        state: state('the build'),
      }),
      100_000
    ),
    versions: list(
      'The versions that were made, oldest first.',
      object('A version.', {
        version: versionName('the app'),
        state: state('the version'),
        phasedRelease: described(
          'Where its phased release is; null if it has none.',
          nullable(
            object('A phased release.', {
              state: state('the phased release'),
              percentage: share('Share of users that are offered the version.'),
            })
          )
        ),
      }),
      100_000
    ),
  }
)

const SimulatedPlayEntity = entity(
  'SimulatedPlayEntity',
  'What the simulated Google Play has of an app.',
  {
    bundleId,
    releases: list(
      'The releases of its tracks that are not obsolete.',
      object('A release.', {
        track: nonEmpty('The track it is on.', 200),
        version: versionName('the release'),
        versionCode: count('The highest version code that it holds.'),
        state: state('the release'),
        status: nonEmpty('Status that it was given on its track.', 100),
        userFraction: nullable(
          Type.Number({
            description: 'Share of users it is staged to, 0 to 1; null if it is not staged.',
            minimum: 0,
            maximum: 1,
          })
        ),
      }),
      100_000
    ),
  }
)

export const SimulatedWorldEntity = entity(
  'SimulatedWorldEntity',
  'How things stand in the simulated world of an organization.',
  {
    seed: nonEmpty('What chance in the world follows from.', 100),
    scenario: nullable(nonEmpty('Name of the scenario that it plays; null for none.', 1000)),
    now: instant('The time of the world.'),
    ci: object('The simulated CI system.', {
      runs: list('Its runs, oldest first.', SimulatedRunEntity, 100_000),
    }),
    appStores: list(
      'What the App Store has, by app; apps that nobody has asked for are not among them.',
      SimulatedAppStoreEntity,
      10_000
    ),
    plays: list(
      'What Google Play has, by app; apps that nobody has asked for are not among them.',
      SimulatedPlayEntity,
      10_000
    ),
    chat: object('The simulated chat.', {
      posts: list(
        'What was posted, oldest first.',
        object('A message.', {
          channel: nonEmpty('Name of the channel.', 200),
          text: text('What it says.', 100_000),
          at: instant('When it was posted, in the time of the world.'),
        }),
        100_000
      ),
    }),
    done: list(
      'What somebody did in the stores’ own consoles, by the scenario.',
      object('Something that was done.', {
        at: instant('When it was done, in the time of the world.'),
        store: nonEmpty('The store in whose console it was done: `apple` or `google`.', 20),
        deed: nonEmpty('What was done, as scenarios call it.', 100),
        refused: nullable(nonEmpty('Why the store refused it; null if it did not.', 100)),
      }),
      100_000
    ),
    waiting: list(
      'What the service planned for a time that the world has reached and the service has not.',
      object('Work of one kind.', {
        kind: nonEmpty('Kind of work, such as `planning.kickoffReminder`.', 100),
        count: count('How much of it there is.'),
        at: instant('When the first of it is done, in the time of the service.'),
      }),
      1000
    ),
  }
)
export type SimulatedWorldEntity = Static<typeof SimulatedWorldEntity>
