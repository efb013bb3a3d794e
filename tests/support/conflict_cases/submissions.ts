import { storeWorld } from '#stores/tests/support'
import { pickOnto } from '../fixtures.js'
import type { Case } from './case.js'

const KICKED_OFF = ['complete', 'skip', 'delete', 'edit']

/** Makes a release whose store has a build of it. */
async function withStoreBuild() {
  const world = await storeWorld()
  world.store.upload('4711')
  await world.work()
  return world
}

/** Conflicts about a release and its store. */
export const SUBMISSION_CONFLICTS: Case[] = [
  {
    code: 'no_build_selected',
    what: 'submitting a release without a build',
    async cause() {
      const { admin, path } = await storeWorld()
      return admin.put(`${path}/submit`, { force: true })
    },
    currentStatus: 'active',
    allowedActions: KICKED_OFF,
  },
  {
    code: 'steps_incomplete',
    what: 'submitting a release whose steps are missing',
    async cause() {
      const { admin, path } = await withStoreBuild()
      return admin.put(`${path}/submit`, {})
    },
    currentStatus: 'active',
    allowedActions: [...KICKED_OFF, 'force'],
  },
  {
    code: 'cherry_picks_open',
    what: 'submitting a release without a commit that was to be picked',
    async cause() {
      const world = await storeWorld('apple', ['kickoff', 'submission', 'storeReview', 'takeoff'])
      world.store.upload('4711')
      await world.work()
      await pickOnto(`${world.appId}:1.4.0`)
      return world.admin.put(`${world.path}/submit`, {})
    },
    currentStatus: 'active',
    allowedActions: [...KICKED_OFF, 'force'],
  },
  {
    code: 'store_busy',
    what: 'submitting a release twice',
    async cause() {
      const { admin, path } = await withStoreBuild()
      await admin.put(`${path}/submit`, { force: true })
      return admin.put(`${path}/submit`, { force: true })
    },
    currentStatus: 'active',
    allowedActions: ['complete', 'skip', 'edit'],
  },
  {
    code: 'release_live',
    what: 'skipping a release that is in review',
    async cause() {
      const { admin, path, store, work } = await storeWorld()
      store.become('inReview')
      await work()
      return admin.put(`${path}/skip`)
    },
    currentStatus: 'active',
    allowedActions: ['edit', 'force'],
  },
  {
    code: 'not_in_review',
    what: 'withdrawing what the store has not got',
    async cause() {
      const { admin, path } = await storeWorld()
      return admin.put(`${path}/developerRejectSubmission`)
    },
    currentStatus: 'active',
    allowedActions: KICKED_OFF,
  },
]
