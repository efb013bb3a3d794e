/** The OpenID Connect provider that people sign in with. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name on the sign-in button. */
  name: string
  /** True if people may sign up whom no organization has added. */
  newUsers: boolean
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'pages.oidc': { settings: OidcSettings | null }
  }
}
