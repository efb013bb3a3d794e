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
  branch: text('Branch being built.', 1000),
  state: state('the run'),
  endsAt: instant('When the run ends or ended, in the time of the world.'),
})

const SimulatedAppStoreEntity = entity(
  'SimulatedAppStoreEntity',
  'State of an app in the simulated App Store.',
  {
    bundleId,
    builds: list(
      'Builds that were uploaded, oldest first.',
      object('A build.', {
        id: nonEmpty('Id of the build.', 200),
        version: versionName('the build'),
        number: nonEmpty('Number of the build.', 100),
        state: state('the build'),
      }),
      100_000
    ),
    versions: list(
      'Versions that were created, oldest first.',
      object('A version.', {
        version: versionName('the app'),
        state: state('the version'),
        phasedRelease: described(
          'Phased release; null if none.',
          nullable(
            object('A phased release.', {
              state: state('the phased release'),
              percentage: share('Share of users offered the version.'),
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
  'State of an app in the simulated Google Play.',
  {
    bundleId,
    releases: list(
      'Releases on its tracks that are not obsolete.',
      object('A release.', {
        track: nonEmpty('Track of the release.', 200),
        version: versionName('the release'),
        versionCode: count('Highest version code in the release.'),
        state: state('the release'),
        status: nonEmpty('Status set on the track.', 100),
        userFraction: nullable(
          Type.Number({
            description: 'Fraction of users of a staged rollout, 0 to 1; null if not staged.',
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
  'State of the simulated world of an organization.',
  {
    seed: nonEmpty('Seed of the world’s random values.', 100),
    scenario: nullable(nonEmpty('Name of the scenario being played; null if none.', 1000)),
    now: instant('Current time of the world.'),
    ci: object('The simulated CI system.', {
      runs: list('Runs, oldest first.', SimulatedRunEntity, 100_000),
    }),
    appStores: list(
      'State of the App Store, by app; only apps queried so far.',
      SimulatedAppStoreEntity,
      10_000
    ),
    plays: list(
      'State of Google Play, by app; only apps queried so far.',
      SimulatedPlayEntity,
      10_000
    ),
    chat: object('The simulated chat.', {
      posts: list(
        'Posted messages, oldest first.',
        object('A message.', {
          channel: nonEmpty('Name of the channel.', 200),
          text: text('Text of the message.', 100_000),
          at: instant('When the message was posted, in the time of the world.'),
        }),
        100_000
      ),
    }),
    done: list(
      'Actions in the stores’ own consoles, oldest first.',
      object('An action in a console.', {
        at: instant('When the action was taken, in the time of the world.'),
        store: nonEmpty('Store of the console: `apple` or `google`.', 20),
        deed: nonEmpty('The action, as scenarios call it.', 100),
        refused: nullable(nonEmpty('Why the store refused it; null if it did not.', 100)),
      }),
      100_000
    ),
    waiting: list(
      'Work planned for a time that the world has reached and the service has not.',
      object('Work of one kind.', {
        kind: nonEmpty('Kind of work, such as `planning.kickoffReminder`.', 100),
        count: count('Number of jobs.'),
        at: instant('When the first is due, in the time of the service.'),
      }),
      1000
    ),
  }
)
export type SimulatedWorldEntity = Static<typeof SimulatedWorldEntity>
