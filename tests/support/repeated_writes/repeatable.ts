import { makeFeatureItem } from '#features/tests/items'
import { makeFixPaths } from '#fixes/tests/support'
import { makeStoreBuild } from '#stores/tests/builds'
import { makeApp, makeUser } from '../app_fixture.js'
import { CUSTOM_BUILD, installIntegration } from '../custom_integrations.js'
import { form } from '../form.js'
import type { World } from '../world.js'

const required = { standard: { required: true } }

/** Makes four releases and one of each other entity that a write can be repeated for. */
export async function makeRepeatable(world: World) {
  const { admin, organizationId } = world
  const org = `/org/${organizationId}`
  const appId = await makeApp(world, {
    steps: [
      { type: 'kickoff', releaseTypes: required },
      { type: 'regressionTesting', releaseTypes: required },
      { type: 'screenshots', releaseTypes: required },
      { type: 'metadata', releaseTypes: required },
      { type: 'approvals', releaseTypes: required },
      { type: 'submission', releaseTypes: required },
    ],
  })
  const app = `/app/${appId}`
  const make = async (path: string, json: object) => (await admin.post(path, json)).body.id
  const release = (version: string) => `${app}/release/${appId}:${version}`
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
    await make(`${app}/release`, { version })
  }
  const { fix, issue, kickedOff } = await makeFixPaths(world)
  const otherFix = `${kickedOff}/fixRequest/${await make(`${kickedOff}/fixRequest`, { title: 'Lag' })}`
  const email = 'ada@acme.example'
  const ada = await makeUser(world, email)
  const { body: steps } = await admin.get(`${release('1.1.0')}/steps`)
  const bucket = `${app}/bucket/${await make(`${app}/bucket`, { name: 'Beta', publicLinkEnabled: true })}`
  const linkId = await make(`${bucket}/installLink`, {})
  const uploaded = form({ file: 'the build', fileName: 'Acme.ipa' })
  const { id: build } = (await admin.post(`${bucket}/build`, undefined, uploaded)).body
  const ci = `${app}/integration/${await installIntegration(world, appId, 'generic-ci')}/build`
  const other = JSON.stringify({ ...CUSTOM_BUILD, buildIdentifier: 'other' })
  const sent = form({ file: 'another build', fileName: 'Acme.ipa' }, other)
  const { id: ciBuild } = (await admin.post(ci, undefined, sent)).body
  return {
    org,
    appId,
    app,
    email,
    ada,
    user: `${org}/user/${ada}`,
    key: `${org}/apiKey/${await make(`${org}/apiKey`, { name: 'Crew' })}`,
    group: await make(`${org}/group`, { name: 'Crew', userActions: ['EditRelease'] }),
    hook: await make(`${org}/webhookEndpoint`, { url: 'https://acme.example/hook' }),
    release,
    detail: (version: string) => `/v2/app/${appId}/releases/${appId}:${version}`,
    rehearsal: `${app}/rehearsal/${await make(`${app}/rehearsal`, {})}`,
    /** The run of a step of 1.1.0. */
    run: (type: string) => steps.find((step: { type: string }) => step.type === type).stepRunId,
    featureItem: await makeFeatureItem(world, appId, `${appId}:1.1.0`),
    checklist: await make(`${app}/checklistItem`, { title: 'Ask', stepType: 'submission' }),
    approval: await make(`${app}/approval`, { title: 'Legal', requiredApprovals: 2 }),
    regression: await make(`${app}/regressionItem`, { title: 'Log in' }),
    /** The path of an item of 1.1.0 for writes. */
    item: (id: string) => `${release('1.1.0')}/checklistItem/${id}`,
    /** The path of the same item for reads. */
    shown: (id: string) => `${app}/checklistItem/${id}?releaseId=${appId}:1.1.0`,
    fix,
    otherFix,
    issue,
    bucket,
    build,
    linkId,
    link: `${bucket}/installLink/${linkId}`,
    ci,
    ciBuild,
    storeBuild: `${app}/appStoreBuild/${await makeStoreBuild(world, appId)}`,
  }
}

export type Repeatable = Awaited<ReturnType<typeof makeRepeatable>>
