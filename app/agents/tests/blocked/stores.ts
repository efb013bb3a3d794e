import db from '@adonisjs/lucid/services/db'
import { makeItem } from '#releases/tests/helpers/release_world'
import { recordCall } from '#integrations/tests/support/record_call'
import { rollingOut } from '#rollouts/tests/support'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, storeWorld, type StoreWorld } from '#stores/tests/support'
import type { Case } from './case.js'

const why = { code: null } as const

/** Returns the request of an agent for release 1.4.0. */
const asking = (
  { world, admin, appId }: StoreWorld,
  tool: string,
  action: string,
  more: object = {}
) => ({
  world,
  asker: admin,
  tool,
  args: { action, appId, releaseId: `${appId}:1.4.0`, ...more },
})

/** Creates a release that waits for the store's decision. */
async function submitted(type: 'apple' | 'google' = 'apple') {
  const given = await readyWorld(type)
  await given.admin.put(`${given.path}/submit`, {})
  await given.work()
  return given
}

/** Creates a release on which the store has decided. */
async function became(...[state, change]: Parameters<StoreWorld['store']['become']>) {
  const given = await submitted()
  given.store.become(state, change)
  await given.work()
  return given
}

const submit = { body: {} }
/** A forced request. People may make it, and may instruct an agent to make it. */
const forced = { body: { force: true } }

/** Cases about stores and the steps before them. */
export const IN_STORES: readonly Case[] = [
  {
    what: 'submitting with nothing done, and without a build',
    block: async () => asking(await storeWorld(), 'submit_to_store', 'submit', submit),
    code: 'steps_incomplete',
    missing: /the approval of the step, for the step "metadata/,
    who: /from whoever holds/,
  },
  {
    what: 'submitting with a test that nobody made',
    async block() {
      const given = await storeWorld()
      const train = { admin: given.admin, app: given.appId }
      await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'steps_incomplete',
    missing: /the result of the regression item \w+, for the step "regressionTesting/,
    who: /from whoever holds UpdateRegressionTesting/,
  },
  {
    what: 'submitting without store texts',
    async block() {
      const given = await storeWorld()
      given.store.upload('4711')
      await given.work()
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'steps_incomplete',
    missing: /the approval of the step|texts in a language/,
    who: /from whoever holds ApproveScreenshotsMetadata/,
  },
  {
    what: 'submitting while a candidate has no build',
    async block() {
      const given = await storeWorld('apple', ['kickoff', 'releaseCandidate', 'submission'])
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'steps_incomplete',
    missing: /a build, for the step "releaseCandidate/,
    who: /from .*(TriggerCIWorkflow|CI system)/,
  },
  {
    what: 'submitting while the build of a candidate failed',
    async block() {
      const given = await storeWorld('apple', ['kickoff', 'releaseCandidate', 'submission'])
      const { status, text } = await given.sendCiBuild({ status: 'failed' })
      if (status >= 300) throw new Error(text)
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'steps_incomplete',
    missing: /a build/,
    who: /from .*TriggerCIWorkflow/,
  },
  {
    what: 'submitting against the rules without a build',
    block: async () => asking(await storeWorld(), 'submit_to_store', 'submit', forced),
    code: 'no_build_selected',
    missing: /a build that is selected for the store/,
    who: /SelectBuild/,
  },
  {
    what: 'submitting a build that the store does not take',
    async block() {
      const given = await readyWorld()
      const { admin, path, run, step, store, work } = given
      const { stepRunId } = await step('submission')
      const [{ id }] = (await run('submission')).data.selectedBuilds
      const builds = [{ appStoreBuildId: id }]
      await admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, { builds })
      store.builds[0].status.state = 'expired'
      await work()
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'build_unusable',
    missing: /a build that the store accepts/,
    who: /TriggerCIWorkflow/,
  },
  {
    what: 'submitting while the store is asked',
    async block() {
      const given = await readyWorld()
      await given.admin.put(`${given.path}/submit`, {})
      return asking(given, 'submit_to_store', 'submit', submit)
    },
    code: 'store_busy',
    missing: /the response of the store/,
    who: /Nobody has to act/,
  },
  {
    what: 'submitting what is in review',
    block: async () => asking(await became('inReview'), 'submit_to_store', 'submit', submit),
    code: 'release_submitted',
    missing: /nothing: the store has it/,
    who: /why_not_moving shows.*Ask the release pilot/,
  },
  {
    what: 'submitting what is approved',
    block: async () => asking(await became('pendingRelease'), 'submit_to_store', 'submit', submit),
    code: 'release_submitted',
    missing: /nothing: the store has it/,
    who: /Ask the release pilot/,
  },
  {
    what: 'releasing what was never submitted',
    block: async () => asking(await readyWorld(), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /the submission to the store/,
    who: /from whoever holds SubmitForReview/,
  },
  {
    what: 'releasing what waits for its review',
    block: async () => asking(await became('waitingForReview'), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /the review of the store/,
    who: /from App Store/,
  },
  {
    what: 'releasing what is in review',
    block: async () => asking(await became('inReview'), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /the verdict of the store/,
    who: /from App Store/,
  },
  {
    what: 'releasing what the store rejected',
    block: async () => asking(await became('rejected'), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /a submission that the store accepts, as it rejected the last one/,
    who: /from .*SubmitForReview/,
  },
  {
    what: 'releasing what the store rejected for its texts',
    block: async () => asking(await became('metadataRejected'), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /a submission that the store accepts/,
    who: /from .*SubmitForReview/,
  },
  {
    what: 'releasing a file that the store cannot read',
    block: async () => asking(await became('invalidBinary'), 'rollout', 'take_off'),
    code: 'not_approved',
    missing: /that the store accepts/,
    who: /from .*(SubmitForReview|SelectBuild)/,
  },
  {
    what: 'taking back what the store has not got',
    block: async () => asking(await readyWorld(), 'submit_to_store', 'withdraw'),
    code: 'not_in_review',
    missing: /the submission to the store/,
    who: /from whoever holds SubmitForReview/,
  },
  {
    what: 'skipping what is in review',
    block: async () => asking(await became('inReview'), 'manage_release', 'skip', { body: {} }),
    code: 'release_live',
    missing: /the decision of the release pilot on what stores have of it/,
    who: /Ask the pilot/,
  },
  {
    what: 'ending by hand what is in review',
    block: async () => asking(await became('inReview'), 'manage_release', 'complete'),
    code: 'release_live',
    missing: /the decision of the release pilot on what stores have of it/,
    who: /Ask the pilot/,
  },
  {
    what: 'removing what was submitted',
    block: async () => asking(await became('inReview'), 'manage_release', 'delete'),
    code: 'release_submitted',
    missing: /nothing: the store has it/,
    who: /Ask the release pilot/,
  },
  {
    what: 'removing an app with a release under way',
    async block() {
      const { world, admin, appId } = await readyWorld()
      return { world, asker: admin, tool: 'configuration', args: { action: 'delete_app', appId } }
    },
    code: 'release_active',
    missing: /the decision of the release pilot on the active release/,
    who: /Its release pilot/,
  },
  {
    what: 'setting a share before there is a rollout',
    block: async () =>
      asking(await readyWorld('google'), 'rollout', 'change', {
        body: { action: 'set', percentage: 50 },
      }),
    code: 'rollout_not_running',
    missing: /the start of the rollout|the release to users|a rollout that is under way/,
    who: /from |release pilot/,
  },
  {
    what: 'setting a share that the store sets itself',
    block: async () =>
      asking(await rollingOut('apple'), 'rollout', 'change', {
        body: { action: 'set', percentage: 50 },
      }),
    code: 'rollout_by_store',
    missing: /a share that can be set/,
    who: /The store increases it/,
  },
  {
    what: 'taking a version away from users',
    block: async () =>
      asking(await rollingOut(), 'rollout', 'change', { body: { action: 'set', percentage: 5 } }),
    code: 'rollout_only_grows',
    missing: /a share above/,
    who: /The release pilot/,
  },
  {
    what: 'more of a rollout that was stopped',
    async block() {
      const given = await rollingOut()
      await given.admin.put(`${given.path}/rollout`, { action: 'halt' })
      await given.work()
      return asking(given, 'rollout', 'change', { body: { action: 'set', percentage: 50 } })
    },
    code: 'rollout_stopped',
    missing: /the decision to continue the rollout/,
    who: /The release pilot/,
  },
  {
    what: 'releasing with another ladder than was submitted',
    async block() {
      const given = await readyWorld('google')
      const { admin, appId, path, store, work } = given
      const begin = (percentage: number) =>
        admin.put(`/app/${appId}/rolloutPolicy`, {
          policy: {
            ladder: [
              { percentage, hours: 24 },
              { percentage: 100, hours: 0 },
            ],
          },
        })
      await begin(20)
      await admin.put(`${path}/submit`, {})
      await work()
      await work()
      store.become('pendingRelease', { release: { method: 'manual' } })
      await work()
      await begin(2)
      return asking(given, 'rollout', 'take_off')
    },
    code: 'ladder_changed',
    missing: /one first share/,
    who: /The release pilot/,
  },
  {
    what: 'a connection whose credentials were revoked',
    async block() {
      const given = await readyWorld()
      const its = { organization_id: given.world.organizationId, id: given.provider }
      await db.from('connections').where(its).update({ status: 'disconnected' })
      return asking(given, 'why_not_moving', 'ask')
    },
    ...why,
    missing: /a connection to a provider that works \(connection memory-store/,
    who: /from whoever manages integrations/,
  },
  {
    what: 'a store that does not answer',
    async block() {
      const given = await readyWorld()
      await recordCall(given.world, given.provider, 'unavailable')
      return asking(given, 'why_not_moving', 'ask')
    },
    ...why,
    missing: /a connection to a provider that works \(connection memory-store/,
    who: /from whoever manages integrations/,
  },
  {
    what: 'a submission that the store refused',
    async block() {
      const given = await readyWorld()
      given.store.failures.push(refusal('invalid', 'Delete the release'))
      await given.admin.put(`${given.path}/submit`, {})
      await given.work()
      return asking(given, 'why_not_moving', 'ask')
    },
    ...why,
    missing: /a submission that works, as the last one failed/,
    who: /from whoever holds SubmitForReview/,
  },
  {
    what: 'a rollout that was stopped',
    async block() {
      const given = await rollingOut()
      await given.admin.put(`${given.path}/rollout`, { action: 'halt' })
      await given.work()
      return asking(given, 'why_not_moving', 'ask')
    },
    ...why,
    missing: /the decision on the rollout, which was stopped/,
    who: /from whoever holds SubmitForReview/,
  },
]
