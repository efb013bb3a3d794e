import type { ParameterDeclaration } from '#foundation/api/operation/parameters'

/** Path parameters of people and devices, who have no key. */
export const installParameters: Record<string, ParameterDeclaration> = {
  installToken: {
    description: 'Token at the end of an install link.',
    example: '6cVb3NzQ8xLk1WpRt5HjmQ2vXf8Kp-0cYd_5uTnZ4A',
  },
  manifestToken: {
    description: 'Token in the manifest URL, from the page.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh5v0rB7sYc1Kd_8mQz-4wPnXgVt2',
  },
  packageToken: {
    description: 'Token in the URL of a file, from the page or manifest.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh8m0Lq3nTe9Wd-1kYb_6vRzXhGs5',
  },
  iconToken: {
    description: 'Token in the URL of an icon, from the page or manifest.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh8m0Cx7pJm2Fu_9aNw-3qSkVtBd8',
  },
}
