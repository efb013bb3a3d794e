import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { OperationRegistry, operations } from '#foundation/api/operation/registry'

/*
 * Two steps are required for the operations that are irreversible. The page states this for each,
 * with the declared reason.
 */

const PAGE = new URL('../../../docs/reference/agents.md', import.meta.url)
const TAKES = { one: 'one', two: 'two', either: 'one or two' }

const stepsOf = (id: string) => {
  const { steps } = operations.get(id)
  if (!steps) throw new Error(`${id} says nothing of its steps`)
  return steps
}

/** Returns the rows of the table, according to the declarations. */
const rows = () =>
  operations.all().flatMap(({ id, steps }) => {
    if (!steps) return []
    return [`| \`${id}\` | ${TAKES[steps.take]} | ${steps.why} |`]
  })

/** Bodies of operations that take one or two steps, with the number of steps. */
const BODIES: Readonly<Record<string, readonly (readonly [body: unknown, steps: 1 | 2])[]>> = {
  createRelease: [
    [{ version: '1.0.0' }, 1],
    [{ version: '1.0.0', targetSubmitAt: null, createBranch: false }, 1],
    [{ version: '1.0.0', targetKickoffAt: '2030-01-01T00:00:00Z' }, 2],
    [{ version: '1.0.0', targetSubmitAt: '2030-01-01T00:00:00Z' }, 2],
    [{ version: '1.0.0', targetReleaseAt: '2030-01-01T00:00:00Z' }, 2],
    [{ version: '1.0.1', releaseType: 'hotfix', createBranch: true }, 2],
    [{ version: '1.0.1', releaseType: 'hotfix', bumpVersion: true }, 2],
    [{ version: '1.0.1', releaseType: 'hotfix', cherryPickCommits: ['9f2c1d7'] }, 2],
  ],
  updateRelease: [
    [{ releaseDescription: 'What it brings', releasePilotId: null }, 1],
    [{ targetSubmitAt: null }, 1],
    [{ releaseName: 'Winter' }, 2],
    [{ releaseName: null }, 2],
    [{ version: '1.0.1' }, 2],
    [{ releaseType: 'hotfix' }, 2],
    [{ releaseDescription: 'More', targetSubmitAt: '2030-01-01T00:00:00Z' }, 2],
    [{ targetKickoffAt: '2030-01-01T00:00:00Z' }, 2],
    [{ targetReleaseAt: '2030-01-01T00:00:00Z' }, 2],
  ],
  skipRelease: [
    [undefined, 1],
    [{ reason: 'Late', force: false }, 1],
    [{ force: true }, 2],
    [{ force: 'yes' }, 2],
  ],
  updateChecklistItemStatus: [
    [{ status: 'approved' }, 1],
    [{ status: 'approved', breakGlass: null }, 1],
    [{ status: 'approved', breakGlass: { reason: 'Now' } }, 2],
  ],
  updateChecklistItem: [
    [{ title: 'Sign', description: null, notifyOnCompletion: true, position: 0 }, 1],
    [{ placement: { position: 0 } }, 1],
    [{ fourEyes: false }, 2],
    [{ requiredApprovals: 1 }, 2],
    [{ required: false }, 2],
    [{ owners: [] }, 2],
    [{ releaseTypes: ['hotfix'] }, 2],
    [{ placement: { stepType: 'approvals' } }, 2],
    [{ placement: { stepConfigId: 'step_1', position: 0 } }, 2],
    [{ title: 'Sign', owners: [{ type: 'releasePilot' }] }, 2],
  ],
  setScheduleCadence: [
    [{ paused: true }, 1],
    [{ enabled: false }, 1],
    [{ paused: true, enabled: false }, 1],
    [{ paused: false }, 2],
    [{ paused: true, enabled: true }, 2],
    [{ enabled: false, intervalWeeks: 1 }, 2],
    [{ intervalWeeks: 1 }, 2],
    [{}, 2],
  ],
  setAutomation: [
    [{ type: 'submitOnTargetDate', enabled: false }, 1],
    [{ type: 'submitOnTargetDate', enabled: false, releaseId: 'app:1.0.0' }, 1],
    [{ type: 'submitOnTargetDate', enabled: true }, 2],
    [{ type: 'submitOnTargetDate', enabled: false, config: { runAfterFreeze: true } }, 2],
    [{ type: 'submitOnTargetDate', enabled: 'false' }, 2],
  ],
  // The current state decides.
  updateLifecycleFreezes: [[{ freezes: [] }, 2]],
  updateBucketBuild: [
    [{ tags: ['good'], testerNotes: 'Look' }, 1],
    [{ expiresAt: null }, 1],
    [{ status: 'expired' }, 2],
    [{ expiresAt: '2026-01-01T00:00:00Z' }, 2],
  ],
  setAutomationPause: [
    [{ paused: true }, 1],
    [{ paused: true, resumeAt: null, reason: 'Holidays' }, 1],
    [{ paused: false }, 2],
    [{ paused: true, resumeAt: '2026-01-01T00:00:00Z' }, 2],
    [undefined, 2],
  ],
  ...Object.fromEntries(
    ['changeRollout', 'changeStepRunRollout'].map((id) => [
      id,
      [
        [{ action: 'pause' }, 1],
        [{ action: 'halt', reason: 'It crashes' }, 1],
        [{ action: 'resume' }, 2],
        [{ action: 'complete' }, 2],
        [{ action: 'set', percentage: 20 }, 2],
        [{ action: 'Halt' }, 2],
        [undefined, 2],
        [['pause'], 2],
      ] as const,
    ])
  ),
}

/**
 * Operations that reach users, a store, a branch or an outside address, destroy data, or grant
 * rights.
 */
const IRREVERSIBLE = [
  // Users and stores.
  ...['submitRelease', 'submitStepRun', 'takeOffRelease', 'takeOffStepRun', 'updateFeatureFlag'],
  ...['developerRejectSubmission', 'developerRejectStepRunSubmission', 'completeRelease'],
  // Branches and CI.
  ...['kickOffRelease', 'approveFixRequest', 'createFixRequest', 'requestTriageIssueFix'],
  ...['triggerCIWorkflow', 'updateFixRequestFormFieldsSettings'],
  // Automations that act later.
  ...['setRolloutPolicy'],
  ...['unskipRelease', 'addDestinationFromConfiguration', 'changeAppFromConfiguration'],
  'createAppFromConfiguration',
  // Rights, and outside addresses.
  ...['createGroup', 'updateGroup', 'updateUserGroups', 'createBucket', 'updateBucket'],
  ...['createInstallLink', 'updateInstallLink', 'createCalendarFeed', 'updateIntegrationAuth'],
  ...['createWebhookEndpoint', 'updateWebhookEndpoint', 'rotateWebhookSecret', 'setNotification'],
  ...['redeliverWebhook', 'recoverWebhooks'],
  // Replacing the file of the same name.
  ...['attachBucketBuildFile', 'attachCustomCIBuildFile'],
]

/** Stops, and actions that people would soon confirm without looking. */
const ONE_STEP = [
  ...['pressRedButton', 'rejectFixRequest', 'updateRegressionItems', 'createRegressionItems'],
  ...['updateReleaseRegressionStatus', 'updateStepRunRegressionStatus', 'setSelectedBuilds'],
]

test.group('The steps of operations', () => {
  test('are declared with each that writes, with the reason', ({ assert }) => {
    for (const operation of operations.ofApi()) {
      if (isWrite(operation)) assert.isNotEmpty(stepsOf(operation.id).why, operation.id)
    }
    const write = operations.get('pressRedButton') as AnyOperation
    const other: AnyOperation = { ...write, id: 'press', path: '/press', steps: undefined }
    assert.throws(() => new OperationRegistry().add([other]), /how many steps/)
  })

  test('are two for what is irreversible, and for all that deletes', ({ assert }) => {
    const deleting = operations.ofApi().filter(({ method }) => method === 'DELETE')
    for (const id of [...IRREVERSIBLE, ...deleting.map((each) => each.id)])
      assert.equal(stepsOf(id).take, 'two', id)
  })

  test('are one for stops, and for items and results in bulk', ({ assert }) => {
    for (const id of ONE_STEP) assert.equal(stepsOf(id).take, 'one', id)
  })

  test('follow from the body where it decides, and are two if it does not say', ({ assert }) => {
    const either = operations.all().filter(({ steps }) => steps?.take === 'either')
    assert.sameMembers(
      either.map(({ id }) => id),
      Object.keys(BODIES)
    )
    for (const [id, bodies] of Object.entries(BODIES)) {
      for (const [body, steps] of bodies)
        assert.equal(stepsOf(id).areTwo({ body }), steps === 2, `${id} ${JSON.stringify(body)}`)
    }
  })

  test('stand in the page as they are declared', ({ assert }) => {
    const page = readFileSync(PAGE, 'utf8').split('\n')
    const begin = page.findIndex((line) => line.startsWith('| Operation | Steps |'))
    const end = page.indexOf('', begin)
    assert.deepEqual(page.slice(begin + 2, end), rows())
  })
})
