import type { GroupEntity, UserEntity } from '#organizations/entities'

export interface PeopleAnswers {
  data: readonly UserEntity[]
  pagination: { nextCursor: string | null }
}

/** A browser that a person is signed in with. */
interface SignIn {
  id: string
  client: string
  seenAt: string
}

/** The sessions of a person; empty if the account belongs to another organization, too. */
export interface SignIns {
  belongsElsewhere: boolean
  signIns: readonly SignIn[]
}

export interface PersonAnswers {
  user: UserEntity
  /** The entity tag of the person. */
  tag: string
  groups: readonly GroupEntity[]
  /** Null for a reader who may not see them. */
  signIns: SignIns | null
}
