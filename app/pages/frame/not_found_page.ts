import { refuse } from '#foundation/core/problems/problem'
import type { Page } from '../session/page.js'
import { signedInOf } from '../session/signed_in.js'
import { adapter } from './adapter.js'
import { page } from './page.js'

const unknownPage = page<never, never>({
  path: '/dashboard/*',
  template: 'frame/problem',
  read() {
    throw refuse('not_found')
  },
  view: (answers) => answers,
})

/** The answer to an unknown address, in the frame of the organization used last. */
export const notFoundPage: Page = {
  async handle(http) {
    http.params = { orgId: (await signedInOf(http)!.lastOrganization()) ?? '' }
    await adapter.serve(unknownPage, http)
  },
}
