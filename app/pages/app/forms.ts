import { addresses, addressOf } from '../addresses.js'
import { instantIn, textOf } from '../frame/fields.js'
import { form } from '../frame/page.js'
import { newReleasePage } from './page.js'

const DATES = ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const

/** Plans a release. Dates are in the reader's time zone. */
export const newReleaseForm = form({
  path: addresses.newRelease,
  operation: 'createRelease',
  makes: true,
  request: ({ params, fields, zone }) => ({
    params: { appId: params.appId },
    body: {
      version: textOf(fields, 'version') ?? '',
      releaseType: textOf(fields, 'releaseType') ?? undefined,
      releaseName: textOf(fields, 'releaseName') ?? undefined,
      baseTag: tagOf(textOf(fields, 'baseTag')),
      ...Object.fromEntries(
        DATES.flatMap((name) => {
          const at = instantIn(fields, name, zone)
          return at === null ? [] : [[name, at]]
        })
      ),
    },
  }),
  shownOn: { page: newReleasePage },
  done: ({ params, answer }) => {
    const { id, version } = answer as { id: string; version: string }
    const to = addressOf(addresses.release, { appId: params.appId, releaseId: id })
    return { to, said: `${version} is planned.` }
  },
})

const tagOf = (name: string | null) => (name === null ? undefined : { name })
