import { isProviderError, type Lifecycle, type PluginContext } from '@tarmac/plugin-kit'
import { Edit } from './edits.js'
import { describeError, refused } from './errors.js'
import { serviceAccountEmail, GooglePlay } from './google.js'

/** The Play Console's name of the permission that every change needs. */
const RELEASE = 'Release to production, exclude devices, and use Play App Signing'

const APPS = 'https://playdeveloperreporting.googleapis.com/v1beta1/apps:search'

interface Apps {
  apps?: { packageName?: string; displayName?: string }[]
  nextPageToken?: string
}

const lifecycle: Lifecycle = {
  /** Lists the apps that the account sees, and opens an edit of the first one: three calls. */
  async check(ctx) {
    const { body } = await ctx.http.send<Apps>({
      method: 'GET',
      path: APPS,
      query: { pageSize: 100 },
    })
    const { apps = [], nextPageToken } = body
    const [first] = apps
    if (!first?.packageName) {
      throw refused(
        'forbidden',
        'The service account is known, and sees no app.',
        'noApp',
        'An administrator of the Play Console invites it under Users and permissions, with its apps.'
      )
    }
    const count = nextPageToken ? `more than ${apps.length} apps` : `${apps.length} apps`
    const what = apps.length === 1 && !nextPageToken ? first.packageName : count
    const mayRelease = await mayEdit(ctx, first.packageName)
    return {
      account: `${serviceAccountEmail(ctx)} (${what})`,
      missingPermissions: mayRelease ? [] : [RELEASE],
    }
  },
  describeError,
}

/**
 * Opening an edit shows whether the account may make changes. It is deleted, and changes nothing.
 */
async function mayEdit(ctx: PluginContext, packageName: string): Promise<boolean> {
  const play = new GooglePlay(ctx, packageName)
  try {
    const { id } = await play.call(
      (publisher, options) => publisher.edits.insert({ packageName, requestBody: {} }, options),
      { idempotent: true }
    )
    await new Edit(play, id ?? '', false).drop()
    return true
  } catch (error) {
    if (isProviderError(error) && error.code === 'forbidden') return false
    throw error
  }
}

export default lifecycle
