import { Type, type Static } from '@sinclair/typebox'
import { instant, named, nullable } from '#foundation/schemas'

export const OrgEntity = named(
  'OrgEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    iconUrl: nullable(Type.String()),
    createdAt: instant(),
    roleBasedAccessEnabled: Type.Boolean(),
    addNewUsersToAllApps: Type.Boolean(),
    appCount: Type.Integer({ minimum: 0 }),
    userCount: Type.Integer({ minimum: 0 }),
  })
)
export type OrgEntity = Static<typeof OrgEntity>
