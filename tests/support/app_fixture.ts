import {
  DEFAULT_APP_SETTINGS,
  DEFAULT_APP_STORE_RELEASE_SETTINGS,
  type AppSettings,
  type StepReleaseTypes,
} from '#apps/settings'
import { apps, stepConfigs } from '#apps/tables'
import type { AppPlatform } from '#apps/vocabulary'
import { later } from '#foundation/core/clock'
import { newId, randomText } from '#foundation/core/ids'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { groupMembers, users } from '#organizations/tables'
import type { World } from './world.js'

const required: StepReleaseTypes = { standard: { required: true }, hotfix: { required: true } }
const optional: StepReleaseTypes = { standard: { required: false } }

export interface FixtureStep {
  type: ReleaseStepType
  name?: string
  releaseTypes?: StepReleaseTypes
}

/** A short workflow whose steps people can complete without any provider. */
export const SHORT_WORKFLOW: FixtureStep[] = [
  { type: 'kickoff', releaseTypes: { ...required, rollback: { required: true } } },
  { type: 'regressionTesting', releaseTypes: required },
  { type: 'screenshots', releaseTypes: optional },
  { type: 'approvals', releaseTypes: { ...required, rollback: { required: true } } },
  { type: 'submission', releaseTypes: { ...required, rollback: { required: true } } },
]

/** Makes an app with a workflow, straight in the database. */
export async function makeApp(
  world: World,
  input: {
    platform?: AppPlatform
    steps?: FixtureStep[]
    settings?: Partial<AppSettings>
    tagPattern?: string
  } = {}
): Promise<string> {
  const platform = input.platform ?? 'ios'
  const id = `app-${randomText(8).toLowerCase()}-${platform}`
  await world.write(async (scope) => {
    await scope.insert(apps, [
      {
        id,
        name: `App ${id}`,
        platform,
        appGroup: null,
        iconUrl: null,
        iconFile: null,
        iconFailure: null,
        settings: { ...DEFAULT_APP_SETTINGS, ...input.settings },
        branchSettings: [],
        tagSettings: input.tagPattern ? [{ name: 'release', pattern: input.tagPattern }] : [],
        featureAffiliations: [],
        appStoreReleaseSettings: DEFAULT_APP_STORE_RELEASE_SETTINGS,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
    await scope.insert(
      stepConfigs,
      (input.steps ?? SHORT_WORKFLOW).map((step, index) => ({
        id: newId('sc'),
        appId: id,
        name: step.name ?? `${step.type} ${index}`,
        type: step.type,
        groupIndex: index,
        position: 0,
        releaseTypes: step.releaseTypes ?? required,
        destinationId: null,
        createdAt: scope.now,
      }))
    )
  })
  return id
}

/** Adds a user who has signed in, by default as an admin; answers the user's id. */
export async function makeSignedIn(
  world: World,
  { email = 'admin@acme.example', admin = true, groups = [] as string[] } = {}
): Promise<string> {
  const id = await makeUser(world, email, groups)
  await world.write((scope) =>
    scope.update(users, { id }, { admin, accountId: `account_of_${id}` })
  )
  return id
}

let usersMade = 0

/** Adds a user, created later than all before, to groups by their names; answers the user's id. */
export async function makeUser(
  world: World,
  email: string,
  groups: string[] = []
): Promise<string> {
  const id = newId('usr')
  await world.write(async (scope) => {
    // Users of the same millisecond would be listed in the order of their random ids.
    const createdAt = later(scope.now, ++usersMade)
    const name = email.split('@')[0]
    await scope.insert(users, [
      {
        id,
        email,
        name,
        status: 'active',
        createdAt,
        admin: false,
        accountId: null,
        deactivatedAt: null,
      },
    ])
    const rows = groups.length ? await scope.table('groups').whereIn('name', groups) : []
    await scope.insert(
      groupMembers,
      rows.map((row) => ({ groupId: row.id, userId: id, createdAt }))
    )
  })
  return id
}
