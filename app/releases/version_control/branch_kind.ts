import { Type } from '@sinclair/typebox'
import { wishKind } from '#foundation/core/agenda/kinds'

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** The branch of a release is to be cut, or found; the subject is the release's internal id. */
export const branchKind = wishKind(
  'release.branch',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    name: Type.String(),
    /** A person wants it, and it goes before what runs by itself. */
    isPersons: Type.Optional(Type.Boolean()),
    from: Type.Object({ branch: textOrNull, tag: textOrNull, commit: textOrNull }),
  })
)
