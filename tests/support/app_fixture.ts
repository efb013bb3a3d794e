import { DEFAULT_APP_SETTINGS, type AppSettings, type StepReleaseTypes } from '#apps/settings'
import type { AppPlatform } from '#apps/vocabulary'
import { newId, randomText } from '#foundation/core/ids'
import type { ReleaseStepType } from '#releases/vocabulary'
import type { World } from './world.js'

const required: StepReleaseTypes = { standard: { required: true }, hotfix: { required: true } }
const optional: StepReleaseTypes = { standard: { required: false } }

export interface FixtureStep {
  type: ReleaseStepType
  name?: string
  releaseTypes?: StepReleaseTypes
}

/** A short workflow whose steps people alone can complete. */
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
    await scope.insert('apps', [
      {
        id,
        name: `App ${id}`,
        platform,
        app_group: null,
        icon_url: null,
        icon_file: null,
        settings: JSON.stringify({ ...DEFAULT_APP_SETTINGS, ...input.settings }),
        branch_settings: '[]',
        tag_settings: JSON.stringify(
          input.tagPattern ? [{ name: 'release', pattern: input.tagPattern }] : []
        ),
        feature_affiliations: '[]',
        app_store_release_settings: '{}',
        created_at: scope.now,
        updated_at: scope.now,
      },
    ])
    await scope.insert(
      'step_configs',
      (input.steps ?? SHORT_WORKFLOW).map((step, index) => ({
        id: newId('sc'),
        app_id: id,
        name: step.name ?? `${step.type} ${index}`,
        type: step.type,
        group_index: index,
        position: 0,
        release_types: JSON.stringify(step.releaseTypes ?? required),
        destination_id: null,
        created_at: scope.now,
      }))
    )
  })
  return id
}

/** Adds a user, to groups by name if asked; answers the user's id. */
export async function makeUser(
  world: World,
  email: string,
  groups: string[] = []
): Promise<string> {
  const id = newId('usr')
  await world.write(async (scope) => {
    await scope.insert('users', [
      { id, email, name: email.split('@')[0], status: 'active', created_at: scope.now },
    ])
    const rows = groups.length ? await scope.table('groups').whereIn('name', groups) : []
    await scope.insert(
      'group_members',
      rows.map((row) => ({ group_id: row.id, user_id: id, created_at: scope.now }))
    )
  })
  return id
}
