import type { GroupEntity, UserEntity } from '#organizations/entities'

export interface PeopleAnswers {
  data: readonly UserEntity[]
  pagination: { nextCursor: string | null }
}

/** A browser that a person is signed in with. */
export interface SignIn {
  id: string
  client: string
  seenAt: string
}

export interface PersonAnswers {
  user: UserEntity
  /** The entity tag of the person, which changes with them. */
  tag: string
  groups: readonly GroupEntity[]
  /** Null for a reader who may not see them. */
  signIns: readonly SignIn[] | null
}
