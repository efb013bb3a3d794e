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

/** Sessions of a person; none of an account that belongs to another organization, too. */
export interface SignIns {
  belongsElsewhere: boolean
  signIns: readonly SignIn[]
}

export interface PersonAnswers {
  user: UserEntity
  /** The entity tag of the person, which changes with them. */
  tag: string
  groups: readonly GroupEntity[]
  /** Null for a reader who may not see them. */
  signIns: SignIns | null
}
