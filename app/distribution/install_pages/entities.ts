import type { Static } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  email,
  entity,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  url,
} from '#foundation/core/schemas'

/** The tester of a link or a download. */
export const testerSchema = object('The tester; null for a public link.', {
  id: id('Id of the user.'),
  email: email('E-mail address of the user.'),
  name: nullable(nonEmpty('Name of the user; null if unknown.', 200)),
})

export const InstallLinkEntity = entity(
  'InstallLink',
  'A link for testers to install builds without an API key.',
  {
    id: id('Id of the link.'),
    bucketId: id('Id of the bucket.'),
    buildDistroBuildId: nullable(
      id('Id of the build it opens; null for the newest build of the bucket.')
    ),
    tester: nullable(testerSchema),
    url: url('URL of the page. Anyone who has it can install.'),
    createdAt: instant('When it was created, in UTC.'),
    createdBy: described('Who created it.', ActorEntity),
    expiresAt: nullable(instant('When it expires, in UTC; null if never.')),
  }
)
export type InstallLinkEntity = Static<typeof InstallLinkEntity>
