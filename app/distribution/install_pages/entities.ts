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
export const testerSchema = object('The tester; null for whoever has a public link.', {
  id: id('Id of the user.'),
  email: email('E-mail address of the user.'),
  name: nullable(nonEmpty('Name of the user; null if none is known.', 200)),
})

export const InstallLinkEntity = entity(
  'InstallLink',
  'A link by which a tester installs, without an API key.',
  {
    id: id('Id of the link.'),
    bucketId: id('Id of the bucket.'),
    buildDistroBuildId: nullable(
      id('Id of the build it opens; null for whichever is the newest of the bucket.')
    ),
    tester: nullable(testerSchema),
    url: url('Address of the page. Whoever has it can install.'),
    createdAt: instant('When it was made, in UTC.'),
    createdBy: described('Who made it.', ActorEntity),
    expiresAt: nullable(instant('When it ends, in UTC; null for no end.')),
  }
)
export type InstallLinkEntity = Static<typeof InstallLinkEntity>
