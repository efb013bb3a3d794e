import { exampleRuleInput } from '#organizations/keyless/examples'
import { makeFeatureItem } from '#features/tests/items'
import { makeFixPaths } from '#fixes/tests/support'
import { makeStoreBuild } from '#stores/tests/builds'
import { makeApp, makeUser } from './app_fixture.js'
import { CUSTOM_BUILD, installIntegration } from './custom_integrations.js'
import { form } from './form.js'
import type { World } from './world.js'

const required = { standard: { required: true } }

/** Makes an app with one entity of every kind; answers their paths. */
export async function makePaths(world: World) {
  const { admin, organizationId } = world
  const org = `/org/${organizationId}`
  const appId = await makeApp(world, {
    steps: ['kickoff', 'regressionTesting', 'screenshots', 'metadata', 'approvals'].map((type) => ({
      type: type as 'kickoff',
      releaseTypes: required,
    })),
  })
  const app = `/app/${appId}`
  const make = async (path: string, body: object) => {
    const { status, text, body: made } = await admin.post(path, body)
    if (status >= 300) throw new Error(text)
    return made.id as string
  }
  for (const version of ['1.0.0', '1.1.0']) await make(`${app}/release`, { version })
  const id = `${appId}:1.0.0`
  const release = `${app}/release/${id}`
  const ada = await makeUser(world, 'ada@acme.example')
  const steps: { type: string; id: string; stepRunId: string }[] = (
    await admin.get(`${release}/steps`)
  ).body
  const stepOf = (type: string) => steps.find((step) => step.type === type)!
  const endpoint = await make(`${org}/webhookEndpoint`, { url: 'https://acme.example/hook' })
  const hook = `${org}/webhookEndpoint/${endpoint}`
  const bucket = `${app}/bucket/${await make(`${app}/bucket`, { name: 'Beta', publicLinkEnabled: true })}`
  const uploaded = form({ file: 'the build', fileName: 'Acme.ipa' })
  const { id: build } = (await admin.post(`${bucket}/build`, undefined, uploaded)).body
  const ci = `${app}/integration/${await installIntegration(world, appId, 'generic-ci')}`
  const analytics = `${app}/integration/${await installIntegration(world, appId, 'generic-analytics')}`
  const custom = form({ file: 'a build', fileName: 'Acme.ipa' }, JSON.stringify(CUSTOM_BUILD))
  const { id: ciBuild } = (await admin.post(`${ci}/build`, undefined, custom)).body
  const begin = { 'tus-resumable': '1.0.0', 'upload-length': '9' }
  const begun = await admin.post(`${bucket}/uploads`, undefined, { headers: begin })
  return {
    org,
    app,
    /** A resumable upload of nine bytes without any part yet. */
    upload: begun.headers.location,
    id,
    release,
    next: `${app}/release/${appId}:1.1.0`,
    user: `${org}/user/${ada}`,
    key: `${org}/apiKey/${await make(`${org}/apiKey`, { name: 'Crew' })}`,
    trustRule: `${org}/trustRule/${await make(`${org}/trustRule`, { ...exampleRuleInput, appId, groupIds: [] })}`,
    group: await make(`${org}/group`, { name: 'Crew', userActions: [] }),
    bucket,
    build: `${bucket}/build/${build}`,
    installLink: `${bucket}/installLink/${await make(`${bucket}/installLink`, {})}`,
    file: form({ file: 'a build', fileName: 'Acme.ipa' }),
    ci,
    analytics,
    ciBuild: `${ci}/build/${ciBuild}`,
    storeBuild: `${app}/appStoreBuild/${await makeStoreBuild(world, appId)}`,
    customBuild: form(
      { file: 'a build', fileName: 'Acme.ipa' },
      JSON.stringify({ ...CUSTOM_BUILD, buildIdentifier: '1874', version: '1.0.0' })
    ),
    approval: await make(`${app}/approval`, { title: 'Legal', requiredApprovals: 2 }),
    regression: await make(`${app}/regressionItem`, { title: 'Log in' }),
    featureItem: await makeFeatureItem(world, appId, id),
    ...(await makeFixPaths(world)),
    hook,
    delivery: await make(`${hook}/ping`, {}),
    link: `${release}/link/${await make(`${release}/link`, {})}`,
    calendar: `${org}/calendarFeed/${await make(`${org}/calendarFeed`, {})}`,
    step: (type: string): string => stepOf(type).id,
    run: (type: string): string => stepOf(type).stepRunId,
  }
}

export type Paths = Awaited<ReturnType<typeof makePaths>>
