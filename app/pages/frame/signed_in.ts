import type { HttpContext } from '@adonisjs/core/http'
import type { Principal } from '#foundation/core/principal'

/** Somebody who is signed in. The folder `session` implements it. */
export interface SignedIn {
  account: {
    id: string
    name: string
    email: string
    zone: string | null
    theme: 'light' | 'dark' | null
  }
  /** What requests are counted by. */
  sessionId: string
  /** The organizations that the account belongs to, by name. */
  organizations: readonly { id: string; name: string }[]
  /** Returns who the account is in an organization; null where it is nobody. */
  principalIn(organizationId: string): Promise<Principal | null>
  /** Keeps a sentence for the next page that is shown. */
  say(sentence: string): void
  /** Takes the sentence that was kept. */
  said(): string | null
  /** The token that every form carries. */
  csrfToken: string
}

/** Returns who sends a request; null for nobody. */
export type FindSignedIn = (http: HttpContext) => Promise<SignedIn | null>
