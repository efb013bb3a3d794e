import type { ParameterDeclaration } from '#foundation/api/operation/parameters'

/** Path parameters of people and devices, who have no key. */
export const installParameters: Record<string, ParameterDeclaration> = {
  installToken: {
    description: 'What an install link ends with.',
    example: '6cVb3NzQ8xLk1WpRt5HjmQ2vXf8Kp-0cYd_5uTnZ4A',
  },
  manifestToken: {
    description: 'What the page put into the address of a manifest.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh5v0rB7sYc1Kd_8mQz-4wPnXgVt2',
  },
  packageToken: {
    description: 'What the page or the manifest put into the address of a file.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh8m0Lq3nTe9Wd-1kYb_6vRzXhGs5',
  },
  iconToken: {
    description: 'What the page or the manifest put into the address of an icon.',
    example: '6cVb3NzQ8xLk1WpRt5Hj1oXe4ScU6gPl8JtAw2Vi0tlh8m0Cx7pJm2Fu_9aNw-3qSkVtBd8',
  },
}
