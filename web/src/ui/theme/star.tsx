/** A single eight-pointed star. */
export function Star({ size = 96 }: { size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 120 120"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinejoin="round"
    >
      <path
        d={
          'M60 4 76.4 20.4H99.6V43.6L116 60 99.6 76.4V99.6H76.4L60 116 ' +
          '43.6 99.6H20.4V76.4L4 60 20.4 43.6V20.4H43.6Z'
        }
      />
      <path
        d={
          'M60 24 70.5 34.6H85.4V49.5L96 60 85.4 70.5V85.4H70.5L60 96 ' +
          '49.5 85.4H34.6V70.5L24 60 34.6 49.5V34.6H49.5Z'
        }
      />
      <path
        d="M60 44 64.7 48.7H71.3V55.3L76 60 71.3 64.7V71.3H64.7L60 76 55.3 71.3H48.7V64.7L44 60 48.7 55.3V48.7H55.3Z"
        fill="currentColor"
        fillOpacity={0.12}
      />
      <path
        d={
          'M60 4V24M60 96V116M4 60H24M96 60H116M20.4 20.4 34.6 34.6M85.4 85.4 ' +
          '99.6 99.6M99.6 20.4 85.4 34.6M34.6 85.4 20.4 99.6'
        }
      />
    </svg>
  );
}
