import { makeRepeatable } from '#tests/support/repeated_writes/repeatable'
import { makeWorld } from '#tests/support/world'

const last = (path: string) => path.split('/').at(-1)!

/** Creates one example of everything that takes two steps, with the ids that actions need. */
export async function makePlannedWorld() {
  const world = await makeWorld()
  const { admin } = world
  const given = await makeRepeatable(world)
  const { appId, org } = given
  const [, , fixApp, , fixRelease, , fix] = given.fix.split('/')
  const make = async (path: string, json: object): Promise<string> => {
    const { status, text, body } = await admin.post(path, json)
    if (status >= 300) throw new Error(`${path}: ${text}`)
    return body.id
  }
  const delivery = await make(`${org}/webhookEndpoint/${given.hook}/ping`, {})
  return {
    ...world,
    ...given,
    release: given.release,
    ids: {
      app: { appId },
      release: (version: string) => ({ appId, releaseId: `${appId}:${version}` }),
      bucket: { appId, bucketId: last(given.bucket) },
      build: { appId, bucketId: last(given.bucket), buildDistroBuildId: given.build },
      link: { appId, bucketId: last(given.bucket), installLinkId: given.linkId },
      fix: { appId: fixApp, releaseId: decodeURIComponent(fixRelease), fixRequestId: fix },
      issue: { appId: fixApp, issueId: last(given.issue) },
      group: { groupId: given.group },
      hook: { endpointId: given.hook },
      delivery: { endpointId: given.hook, deliveryId: delivery },
      feed: { calendarFeedId: await make(`${org}/calendarFeed`, {}) },
    },
    /** Another app of the organization, with a release. */
    otherApp: given.fix.split('/fixRequest/')[0],
  }
}

export type PlannedWorld = Awaited<ReturnType<typeof makePlannedWorld>>
