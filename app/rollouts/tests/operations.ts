import type { ApiAnswer } from '#tests/support/api'
import type { StoreWorld } from '#stores/tests/support'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Column } from './operations_table.js'

export type Answer = ApiAnswer<any>

const put =
  (what: string, body: object = {}) =>
  ({ admin, path }: StoreWorld, isForced: boolean) =>
    admin.put(`${path}/${what}`, isForced ? { ...body, force: true } : body)

/** The requests of each operation of the table. */
export const ASK: Record<Column, (given: StoreWorld, isForced: boolean) => Promise<Answer>> = {
  submit: put('submit'),
  takeoff: put('takeoff'),
  withdraw: put('developerRejectSubmission'),
  pause: put('rollout', { action: 'pause' }),
  resume: put('rollout', { action: 'resume' }),
  complete: put('rollout', { action: 'complete' }),
  more: put('rollout', { action: 'set', percentage: 75 }),
  less: put('rollout', { action: 'set', percentage: 5 }),
  redButton: put('redButton', { reason: 'It crashes' }),
  skip: put('skip'),
  end: put('complete'),
  delete: ({ admin, path }) => admin.delete(path),
  unskip: put('unskip'),
}

/** Returns the request for the run of a step. */
const ofRun =
  (step: ReleaseStepType, what: string, body: object = {}) =>
  async (given: StoreWorld, isForced: boolean) => {
    const { stepRunId } = await given.step(step)
    const segment = what === 'submit' ? 'step' : 'stepRun'
    return put(`${segment}/${stepRunId}/${what}`, body)(given, isForced)
  }

/** Other requests with the same effect as a column. */
export const OTHERS: [column: Column, ask: (typeof ASK)[Column]][] = [
  ['submit', ofRun('submission', 'submit')],
  ['takeoff', ofRun('takeoff', 'takeoff')],
  ['withdraw', ofRun('storeReview', 'developerRejectSubmission')],
  ['pause', put('rollout', { action: 'halt' })],
  ['pause', ofRun('rollout', 'rollout', { action: 'halt' })],
  ['resume', ofRun('rollout', 'rollout', { action: 'resume' })],
  ['complete', ofRun('rollout', 'rollout', { action: 'complete' })],
  ['more', ofRun('rollout', 'rollout', { action: 'set', percentage: 75 })],
  ['less', ofRun('rollout', 'rollout', { action: 'set', percentage: 5 })],
]

/** Returns the decision about the store of a release. */
export const planOf = async (given: StoreWorld) => (await given.release()).storePlans[0]
