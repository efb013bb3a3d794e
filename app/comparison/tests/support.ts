import { INFO, PROFILE, plistBinary, writeIpa } from '#app-archives/writing/sane_archives'
import { readOnCommand } from '#distribution/reading/read_on_command'
import { sendFile } from '#distribution/tests/support'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { SystemClock } from '#foundation/core/clock'
import type { Api } from '#tests/support/api'
import { makeApp, type FixtureStep } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { sendYaml } from '#configuration/tests/functional/yaml'

/** Keys of usage descriptions, by short name. */
const USES = {
  camera: 'NSCameraUsageDescription',
  contacts: 'NSContactsUsageDescription',
  location: 'NSLocationWhenInUseUsageDescription',
} as const
export type Use = keyof typeof USES

interface Built {
  number: string
  uses?: Use[]
  entitlements?: Record<string, unknown>
  minimum?: string
  bundleId?: string
  /** Versions of frameworks, by their names. */
  frameworks?: Record<string, string>
}

/** Returns an archive of a version that asks for some uses. */
export function archive(
  version: string,
  { number, uses = [], entitlements, minimum, bundleId, frameworks = {} }: Built
) {
  const { NSCameraUsageDescription, ...info } = INFO
  return writeIpa({
    info: {
      ...info,
      CFBundleShortVersionString: version,
      CFBundleVersion: number,
      ...(bundleId && { CFBundleIdentifier: bundleId }),
      ...(minimum && { MinimumOSVersion: minimum }),
      ...Object.fromEntries(uses.map((use) => [USES[use], 'For a reason'])),
    },
    profile: { ...PROFILE, Entitlements: { ...PROFILE.Entitlements, ...entitlements } },
    more: Object.entries(frameworks).map(([name, CFBundleShortVersionString]) => ({
      name: `Payload/Acme.app/Frameworks/${name}.framework/Info.plist`,
      content: plistBinary({ CFBundleShortVersionString }),
      stored: true,
    })),
  })
}

const BEFORE = { frameworks: { Alamofire: '5.9.1', Kingfisher: '7.12.0' } }

const RULES = `changeApprovals:
  - change: permissionAdded
    groups:
      - Legal
`

/**
 * Makes an app without CI whose live version is 1.0.0 (build 10, uses the camera), with release
 * 1.1.0 under way.
 * @param rules of its configuration file; none if empty
 */
export async function withLiveVersion({
  rules = RULES,
  steps,
  isFirst = false,
}: { rules?: string; steps?: FixtureStep[]; isFirst?: boolean } = {}) {
  const stage = await Stage.set(readOnCommand)
  const world = await makeWorld()
  const { admin } = world
  const app = await makeApp(world, { steps })
  const { body: legal } = await admin.post(`/org/${world.organizationId}/group`, {
    name: 'Legal',
    userActions: [],
  })
  const { body: bucket } = await admin.post(`/app/${app}/bucket`, { name: 'Candidates' })
  const read = () => {
    stage.clock.travelTo(new SystemClock().now())
    return stage.worker.turn()
  }
  const releaseAt = (version: string) => {
    const path = `/app/${app}/release/${app}:${version}`
    const items = async (api: Api = admin) =>
      (await api.get(`${path}/checklistItems?kind=approval`)).body
    const compare = async (api: Api = admin) =>
      api.get(`/app/${app}/buildComparison?releaseId=${app}:${version}`)
    return {
      path,
      items,
      compare,
      /** The approvals as `title: status`. */
      approvals: async () =>
        (await items()).map(({ title, status }: any) => `${title}: ${status.type}`),
      vote: (itemId: string, body: object = {}, api: Api = admin) =>
        api.put(`${path}/checklistItem/${itemId}/status`, { status: 'approved', ...body }),
      step: async (type: string) =>
        (await admin.get(`${path}/steps`)).body.find((each: any) => each.type === type),
      timeline: async () =>
        (await admin.get(`${path}/timelineEvents?limit=200`)).body.data
          .map(({ title }: any) => title)
          .reverse(),
    }
  }
  const uploadBytes = (bytes: Buffer, fileName: string, to = bucket.id) =>
    sendFile(admin, `/app/${app}/bucket/${to}/build`, { bytes, fileName })
  const given = {
    stage,
    world,
    admin,
    app,
    legal,
    bucket,
    read,
    releaseAt,
    /** Uploads without reading. */
    upload: (version: string, built: Built, to?: string) =>
      uploadBytes(archive(version, built), 'Acme.ipa', to),
    uploadBytes,
    async build(version: string, built: Built, to?: string): Promise<string> {
      const { body } = await given.upload(version, built, to)
      await read()
      return body.id
    },
    configure: (text: string) => sendYaml(admin, 'PATCH', `/app/${app}/app/config`, text),
    async draft(version: string) {
      await admin.post(`/app/${app}/release`, { version })
      await admin.put(`/app/${app}/release/${app}:${version}/kickoff`)
      return releaseAt(version)
    },
    /** Completes the release, so that users have the version. */
    async goLive(version: string) {
      const { status, body } = await admin.put(`/app/${app}/release/${app}:${version}/complete`)
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
  }
  if (!isFirst) {
    await given.draft('1.0.0')
    await given.build('1.0.0', { ...BEFORE, number: '10', uses: ['camera'] })
    await given.goLive('1.0.0')
  }
  if (rules) {
    const { status, text } = await given.configure(rules)
    if (status !== 200) throw new Error(text)
  }
  return { ...given, release: await given.draft('1.1.0') }
}
